/** How far something has come, from 0 to 1. */
export function ProgressBar({ label, part }: { readonly label: string; readonly part: number }) {
  const percent = Math.round(part * 100);
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="block h-1.5 min-w-20 flex-1 overflow-hidden rounded-full bg-line"
    >
      <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
    </span>
  );
}
