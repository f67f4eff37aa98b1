import { useId, type ComponentProps, type ReactNode } from 'react';
import { cn } from './class-names.js';

const BOX =
  'h-8 rounded-md border border-edge/60 bg-raised px-2 text-base placeholder:text-muted aria-invalid:border-failed';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cn(BOX, className)} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={cn(BOX, 'h-auto min-h-16 py-1.5', className)} />;
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={cn(BOX, 'pr-6', className)} />;
}

interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  /** Fault of the value; null where there is none. */
  readonly fault?: string | null;
  readonly children: (ids: ControlIds) => ReactNode;
}

/** A label above a control, with a fault and a hint below it. */
export function Field({ label, hint, fault = null, children }: FieldProps) {
  const id = useId();
  const notes = [fault !== null && `${id}-fault`, hint !== undefined && `${id}-hint`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        ...(notes === '' ? {} : { 'aria-describedby': notes }),
        ...(fault === null ? {} : { 'aria-invalid': true }),
      })}
      {fault !== null && (
        <p id={`${id}-fault`} role="alert" className="text-sm text-failed wrap-anywhere">
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
