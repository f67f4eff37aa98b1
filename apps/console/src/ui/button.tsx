import type { ComponentProps } from 'react';
import { clsx } from 'clsx';

const LOOK = {
  plain: 'button-plain',
  primary: 'button-primary',
  danger: 'button-danger',
  quiet: 'button-quiet',
};

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: keyof typeof LOOK;
  /** Why the action is not available: it stays visible, can be focused, and says so. */
  readonly unavailable?: string | null;
}

export function Button({ look = 'plain', unavailable = null, className, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={clsx('button', LOOK[look], className)}
      aria-disabled={unavailable !== null || undefined}
      title={unavailable ?? rest.title}
      onClick={unavailable === null ? onClick : undefined}
    />
  );
}

/** Button of one icon; `label` is its accessible name and its hint. */
export function IconButton({ label, className, ...rest }: ButtonProps & { readonly label: string }) {
  return (
    <Button
      look="quiet"
      {...rest}
      aria-label={label}
      title={label}
      className={clsx('button-icon', className)}
    />
  );
}
