import type { ComponentProps } from 'react';
import { cn } from './class-names.js';

const LOOK = {
  plain: 'border border-line bg-raised hover:bg-hover',
  primary: 'border border-accent bg-accent text-accent-ink hover:brightness-95',
  danger: 'border border-failed/50 bg-raised text-failed hover:bg-failed-soft',
  quiet: 'text-muted hover:bg-hover hover:text-ink',
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
      className={cn(
        'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md px-3 font-medium whitespace-nowrap',
        'disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
        LOOK[look],
        className,
      )}
      aria-disabled={unavailable !== null || undefined}
      title={unavailable ?? rest.title}
      onClick={unavailable === null ? onClick : undefined}
    />
  );
}

/** Button of one icon; `label` is its accessible name and its hint. */
export function IconButton({ label, className, ...rest }: ButtonProps & { readonly label: string }) {
  return (
    <Button look="quiet" {...rest} aria-label={label} title={label} className={cn('w-8 px-0', className)} />
  );
}
