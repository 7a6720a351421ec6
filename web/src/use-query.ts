/** Reads from the daemon for a view: what it has, whether it loads, and what went wrong. */
import { useEffect, useRef, useState } from 'preact/hooks';

import { createReader, type Reader } from './reader.js';

export interface Query<T> {
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Loaded<T> {
  readonly key: string;
  readonly data?: T;
  readonly error?: Error;
}

/**
 * Reads again whenever `key` or `version` changes. With another version it keeps showing what it
 * has; with another key it is about something else, so it starts empty.
 */
export function useQuery<T>(
  read: (signal: AbortSignal) => Promise<T>,
  key: string,
  version: number | string = 0,
): Query<T> {
  const [state, setState] = useState<Loaded<T>>({ key });
  const reader = useRef<Reader | undefined>(undefined);

  useEffect(() => {
    const own = createReader(read, (outcome) =>
      setState((old) => {
        const kept = old.key === key && old.data !== undefined ? { data: old.data } : {};
        return { key, ...kept, ...outcome };
      }),
    );
    reader.current = own;
    return () => own.stop();
  }, [key]);
  useEffect(() => reader.current?.request(), [key, version]);

  const { data, error } = state.key === key ? state : { data: undefined, error: undefined };
  return {
    data,
    error,
    isLoading: data === undefined && error === undefined,
    reload: () => reader.current?.request(),
  };
}
