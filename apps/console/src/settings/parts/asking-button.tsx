import { useState, type ReactNode } from 'react';
import { Button, type ButtonProps } from '../../ui/button.js';

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
