import type { ReactNode } from 'react';
import { Button } from './button.js';
import { Dialog, DialogTitle } from './dialog.js';
import { ProblemNotice } from './notice.js';

interface AskFirstProps {
  /** The question, which names the thing. */
  readonly title: string;
  /** Word of the button that does it. */
  readonly action: string;
  readonly look?: 'danger' | 'primary';
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before an action that cannot be undone, and stays open with the reason where it fails. */
export function AskFirst(props: AskFirstProps) {
  const { title, action, look = 'danger', isPending, error, onConfirm, onClose, children } = props;
  return (
    <Dialog label={title} onClose={onClose}>
      <DialogTitle onClose={onClose}>{title}</DialogTitle>
      <div className="flex flex-col gap-4 overflow-y-auto p-4 wrap-anywhere">
        {children}
        {error !== null && error !== undefined && <ProblemNotice error={error} />}
        <div className="flex gap-2">
          <Button look={look} disabled={isPending} onClick={onConfirm}>
            {action}
          </Button>
          <Button onClick={onClose}>Leave it</Button>
        </div>
      </div>
    </Dialog>
  );
}
