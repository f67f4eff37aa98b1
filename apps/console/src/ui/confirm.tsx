import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button.js';
import { Dialog, DialogTitle } from './dialog.js';
import { ProblemNotice } from './notice.js';

interface ConfirmProps {
  /** The question, which names the thing. */
  readonly title: string;
  /** Word of the button that does it. */
  readonly action: string;
  /** Word of the button that does not. */
  readonly refusal?: string;
  readonly look?: NonNullable<ButtonProps['look']>;
  readonly isPending?: boolean;
  /** Reason of a failure, shown in the dialog; null where there is none, or it is shown elsewhere. */
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before something that cannot be taken back easily, and stays open with the reason where it fails. */
export function Confirm(props: ConfirmProps) {
  const { title, action, refusal = 'Cancel', look = 'danger', isPending = false, error = null } = props;
  return (
    <Dialog label={title} onClose={props.onClose}>
      <DialogTitle onClose={props.onClose}>
        <span className="wrap-anywhere">{title}</span>
      </DialogTitle>
      <div className="flex flex-col gap-4 overflow-y-auto p-4 wrap-anywhere">
        {props.children}
        {error !== null && <ProblemNotice error={error} />}
        <div className="flex flex-wrap gap-2">
          <Button look={look} disabled={isPending} onClick={props.onConfirm}>
            {action}
          </Button>
          <Button onClick={props.onClose}>{refusal}</Button>
        </div>
      </div>
    </Dialog>
  );
}
