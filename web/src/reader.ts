/** One read at a time: a request during a read triggers one more read after it. */
export interface Reader {
  request(): void;
  /** Nothing is reported after this. */
  stop(): void;
}

export type ReadOutcome<T> = { readonly data: T } | { readonly error: Error };

export function createReader<T>(
  read: (signal: AbortSignal) => Promise<T>,
  report: (outcome: ReadOutcome<T>) => void,
): Reader {
  const leave = new AbortController();
  let isReading = false;
  let isWanted = false;

  const load = async () => {
    isReading = true;
    while (isWanted && !leave.signal.aborted) {
      isWanted = false;
      const outcome = await outcomeOf(read, leave.signal);
      if (!leave.signal.aborted) report(outcome);
    }
    isReading = false;
  };

  return {
    request() {
      isWanted = true;
      if (!isReading) void load();
    },
    stop: () => leave.abort(),
  };
}

async function outcomeOf<T>(
  read: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<ReadOutcome<T>> {
  try {
    return { data: await read(signal) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}
