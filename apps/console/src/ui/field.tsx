import { useId, type ComponentProps, type ReactNode } from 'react';
import { clsx } from 'clsx';
import { Faults } from './faults.js';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input dir="auto" {...rest} className={clsx('control', className)} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea dir="auto" {...rest} className={clsx('control control-text', className)} />;
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={clsx('control control-select', className)} />;
}

export interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Faults of the value: those that the form finds, and those that the service found in the last try. */
  readonly faults?: readonly string[];
  readonly className?: string;
  readonly children: (ids: ControlIds) => ReactNode;
}

/** A label above a control, with a hint and the faults of the value below it. */
export function Field({ label, hint = null, faults = [], className, children }: FieldProps) {
  const id = useId();
  const notes = [hint !== null && `${id}-hint`, faults.length > 0 && `${id}-faults`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={clsx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        ...(notes === '' ? {} : { 'aria-describedby': notes }),
        ...(faults.length === 0 ? {} : { 'aria-invalid': true }),
      })}
      {hint !== null && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {faults.length > 0 && (
        <div role="alert">
          <Faults id={`${id}-faults`} faults={faults} />
        </div>
      )}
    </div>
  );
}
