import { useEffect, useRef, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { IconButton } from './button.js';
import { cn } from './class-names.js';

/**
 * A modal dialog by the browser's own `<dialog>`, which holds the focus and closes by Esc without a style element that
 * the content security policy would forbid.
 */
export function Dialog({
  label,
  onClose,
  className,
  children,
}: {
  readonly label: string;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // The browser closes a dialog by keyboard itself; a click on what lies around it does the same.
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={() => {
        // An effect that runs twice closes and opens it again: the late event of that is no closing.
        if (dialog.current?.open !== true) onClose();
      }}
      onClick={(click) => {
        if (click.target === dialog.current) onClose();
      }}
      className={cn(
        'm-auto max-h-[80dvh] w-[min(32rem,calc(100vw-2rem))] flex-col rounded-lg border border-line bg-raised p-0',
        'text-ink shadow-over open:flex',
        className,
      )}
    >
      {children}
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
