/** Asks before something is done. The browser keeps the focus inside and closes it with Escape. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly children?: ComponentChildren;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
}

export function Dialog({ title, action, isDangerous, children, onClose, onConfirm }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => box.current?.showModal(), []);

  const confirm = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setBusy(false);
    }
  };
  return (
    <dialog ref={box} onClose={onClose} aria-labelledby="dialog-title">
      <form onSubmit={(event) => void confirm(event)}>
        <h2 id="dialog-title">{title}</h2>
        {children}
        {error !== undefined && (
          <p class="notice" role="alert">
            {error}
          </p>
        )}
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isBusy}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}
