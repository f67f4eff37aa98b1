import { CircleCheck, CircleOff } from 'lucide-react';
import { clsx } from 'clsx';

/** Whether something is in use, by word, shape and colour. */
export function ActiveState({ isActive }: { readonly isActive: boolean }) {
  const Icon = isActive ? CircleCheck : CircleOff;
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1.5 align-middle whitespace-nowrap',
        isActive ? 'text-done' : 'text-muted',
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {isActive ? 'Active' : 'Inactive'}
    </span>
  );
}
