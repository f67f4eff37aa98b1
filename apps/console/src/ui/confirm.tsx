import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button.js';
import { Dialog, DialogTitle } from './dialog.js';

interface ConfirmProps {
  readonly title: string;
  readonly action: string;
  readonly look?: NonNullable<ButtonProps['look']>;
  readonly isPending?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before something that cannot be taken back easily. */
export function Confirm(props: ConfirmProps) {
  const { title, action, look = 'danger', isPending = false, onConfirm, onClose, children } = props;
  return (
    <Dialog label={title} onClose={onClose}>
      <DialogTitle onClose={onClose}>{title}</DialogTitle>
      <div className="flex flex-col gap-4 overflow-y-auto p-4 wrap-anywhere">
        {children}
        <div className="flex flex-wrap gap-2">
          <Button look={look} disabled={isPending} onClick={onConfirm}>
            {action}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}
