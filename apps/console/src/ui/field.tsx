import { useId, type ComponentProps, type ReactNode } from 'react';
import { cn } from './class-names.js';

const BOX = 'h-8 rounded-md border border-edge/60 bg-raised px-2 text-base placeholder:text-muted aria-invalid:border-failed';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cn(BOX, className)} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={cn(BOX, 'h-auto min-h-16 py-1.5', className)} />;
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={cn(BOX, 'pr-6', className)} />;
}

/** A label above a control; a fault and a hint are below it. */
export function Field({
  label,
  hint,
  fault,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with what was typed. */
  readonly fault?: string | undefined;
  readonly children: (ids: {
    id: string;
    'aria-describedby'?: string;
    'aria-invalid'?: true;
  }) => ReactNode;
}) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(Boolean);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
        ...(fault !== undefined && { 'aria-invalid': true as const }),
      })}
      {fault !== undefined && (
        <p id={`${id}-fault`} role="alert" className="text-sm text-failed">
          {fault}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
