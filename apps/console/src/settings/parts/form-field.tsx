import { useId, type ReactNode } from 'react';

interface FormFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Text of the refusal of the service; null without one. */
  readonly fault?: string | null;
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
  }) => ReactNode;
}

/** A label above a control; below it a hint, and the fault that the service found. */
export function FormField({ label, hint, fault = null, children }: FormFieldProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': `${id}-hint ${id}-fault`, 'aria-invalid': fault !== null })}
      <p id={`${id}-hint`} hidden={hint === undefined} className="text-sm text-muted">
        {hint}
      </p>
      <p
        id={`${id}-fault`}
        role="alert"
        hidden={fault === null}
        className="text-sm wrap-anywhere text-failed"
      >
        {fault}
      </p>
    </div>
  );
}

/** A switch with its label beside it. */
export function CheckField({
  label,
  hint,
  checked,
  disabled = false,
  onChange,
}: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div className="min-w-0">
        <label htmlFor={id} className={disabled ? 'text-muted' : 'font-medium'}>
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
