import { useId, type ReactNode } from 'react';
import { CircleX } from 'lucide-react';
import { cn } from './class-names.js';

export interface CheckedIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

interface CheckedFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Faults that the service finds in the value. */
  readonly faults?: readonly string[];
  readonly className?: string;
  readonly children: (ids: CheckedIds) => ReactNode;
}

/** A label above a control, with a hint and the faults of the last try below it. */
export function CheckedField({ label, hint, faults = [], className, children }: CheckedFieldProps) {
  const id = useId();
  const describedBy = [
    ...(hint === undefined || hint === null ? [] : [`${id}-hint`]),
    ...(faults.length === 0 ? [] : [`${id}-faults`]),
  ].join(' ');
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
        ...(faults.length === 0 ? {} : { 'aria-invalid': true }),
      })}
      {hint !== undefined && hint !== null && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <Faults id={`${id}-faults`} faults={faults} />
    </div>
  );
}

/** Faults at a place of a form that has no single control. */
export function Faults({ faults, id }: { readonly faults: readonly string[]; readonly id?: string }) {
  if (faults.length === 0) return null;
  return (
    <ul id={id} className="text-sm text-failed">
      {faults.map((fault) => (
        <li key={fault} className="flex items-start gap-1.5 wrap-anywhere">
          <CircleX aria-hidden className="mt-px size-3.5 shrink-0" />
          {fault}
        </li>
      ))}
    </ul>
  );
}
