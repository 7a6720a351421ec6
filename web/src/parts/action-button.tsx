import { useState } from 'preact/hooks';

/** Does something at the daemon; says why it could not. */
export function ActionButton({
  text,
  kind = '',
  act,
}: {
  readonly text: string;
  readonly kind?: string;
  readonly act: () => Promise<unknown>;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>();
  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await act();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" class={kind} disabled={isBusy} onClick={() => void run()}>
        {text}
      </button>
      {error !== undefined && (
        <span class="bad-text small wrap" role="alert">
          {error}
        </span>
      )}
    </>
  );
}
