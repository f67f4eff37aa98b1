import { useCallback, useState, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { clsx } from 'clsx';
import { IconButton } from './button.js';

/**
 * A modal dialog by the browser's own `<dialog>`, which holds the focus and closes by Esc without a style element that
 * the content security policy would forbid.
 */
export function Dialog({
  label,
  onClose,
  className,
  isDismissible = true,
  children,
}: {
  readonly label: string;
  readonly onClose: () => void;
  readonly className?: string;
  /** Whether Esc or a click beside it closes it; false if it shows a secret that is shown once. */
  readonly isDismissible?: boolean;
  readonly children: ReactNode;
}) {
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null);
  // Its content comes once it is open, because nothing hidden takes the focus. It is closed while it is still in the page,
  // because the browser gives the focus back only then.
  const open = useCallback((element: HTMLDialogElement | null) => {
    element?.showModal();
    setDialog(element);
    return () => element?.close();
  }, []);
  return (
    // The browser closes a dialog by keyboard itself; a click on what lies around it does the same.
    <dialog
      ref={open}
      aria-label={label}
      closedby={isDismissible ? 'closerequest' : 'none'}
      // A development build shows each dialog twice: the close event of the first time finds it open again.
      onClose={() => {
        if (dialog?.open === true) return;
        if (isDismissible) onClose();
        // Without `closedby`, a second Esc closes it in any case: one that its owner keeps is opened again.
        setTimeout(() => {
          if (dialog?.isConnected === true && !dialog.open) dialog.showModal();
        });
      }}
      onCancel={(cancel) => {
        // The page decides whether it closes.
        cancel.preventDefault();
        if (isDismissible) onClose();
      }}
      onClick={(click) => {
        if (isDismissible && click.target === dialog) onClose();
      }}
      className={clsx(
        'm-auto max-h-[80dvh] flex-col rounded-lg border border-line bg-raised p-0',
        'text-ink shadow-over outline-none open:flex',
        className,
      )}
    >
      {dialog !== null && children}
    </dialog>
  );
}

export function DialogTitle({
  children,
  onClose,
}: {
  readonly children: ReactNode;
  readonly onClose: () => void;
}) {
  return (
    <header className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
      <h2 className="text-lg font-semibold">{children}</h2>
      <IconButton label="Close" onClick={onClose}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </header>
  );
}
