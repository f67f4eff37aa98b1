import { CircleX } from 'lucide-react';

/** Faults at a place of a form. */
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
