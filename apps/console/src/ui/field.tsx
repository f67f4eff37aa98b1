import { useId, type ComponentProps, type ReactNode } from 'react';
import { cn } from './class-names.js';

const BOX = 'h-8 rounded-md border border-edge/60 bg-raised px-2 text-base placeholder:text-muted';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cn(BOX, className)} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={cn(BOX, 'h-auto min-h-16 py-1.5', className)} />;
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={cn(BOX, 'pr-6', className)} />;
}

/** A label above a control, with a hint below it. */
export function Field({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly children: (ids: { id: string; 'aria-describedby'?: string }) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, ...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }) })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
