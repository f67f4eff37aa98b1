import { clsx } from 'clsx';

interface SegmentsProps<Name extends string> {
  readonly label: string;
  readonly options: readonly {
    readonly name: Name;
    readonly label: string;
    /** Why it cannot be chosen; it stays visible. */
    readonly unavailable?: string | null;
  }[];
  /** Null: none of them. */
  readonly current: Name | null;
  readonly onChange: (name: Name) => void;
}

/** A choice of few, all of them in view. */
export function Segments<Name extends string>({ label, options, current, onChange }: SegmentsProps<Name>) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap rounded-md border border-line">
      {options.map(({ name, label: word, unavailable = null }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === current}
          aria-disabled={unavailable !== null || undefined}
          title={unavailable ?? undefined}
          onClick={unavailable === null ? () => onChange(name) : undefined}
          className={clsx(
            'h-7.5 px-2.5 first:rounded-l-md last:rounded-r-md',
            'aria-disabled:cursor-not-allowed aria-disabled:text-muted aria-disabled:line-through',
            name === current ? 'bg-accent-soft font-medium' : 'hover:bg-hover',
          )}
        >
          {word}
        </button>
      ))}
    </div>
  );
}
