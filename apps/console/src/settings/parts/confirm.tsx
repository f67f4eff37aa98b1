import { useState, type ReactNode } from 'react';
import { Button, type ButtonProps } from '../../ui/button.js';
import { Dialog, DialogTitle } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/notice.js';

interface ConfirmProps {
  /** The question, which names the thing. */
  readonly question: string;
  readonly label: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before something that cannot be undone. */
export function Confirm({ question, label, isPending, error, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Dialog label={question} onClose={onClose}>
      <DialogTitle onClose={onClose}>
        <span className="wrap-anywhere">{question}</span>
      </DialogTitle>
      <div className="flex flex-col gap-4 overflow-y-auto p-4">
        {children}
        {error !== null && <ProblemNotice error={error} />}
        <div className="flex gap-2">
          <Button look="danger" disabled={isPending} onClick={onConfirm}>
            {label}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}

interface AskingButtonProps extends Omit<ButtonProps, 'onClick'> {
  readonly dialog: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function AskingButton({ dialog, ...button }: AskingButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setIsAsking(true)} />
      {isAsking && dialog(() => setIsAsking(false))}
    </>
  );
}
