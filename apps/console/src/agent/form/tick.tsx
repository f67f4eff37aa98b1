import type { ReactNode } from 'react';
import { clsx } from 'clsx';

/** A box to tick with its label. */
export function Tick({
  label,
  isOn,
  isDisabled = false,
  onChange,
  className,
}: {
  readonly label: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: () => void;
  readonly className?: string;
}) {
  return (
    <label className={clsx('flex min-w-0 items-center gap-2', className)}>
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={onChange}
        className="size-4 shrink-0"
      />
      <span className="min-w-0 truncate">{label}</span>
    </label>
  );
}
