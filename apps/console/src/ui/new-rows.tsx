import { ArrowUp } from 'lucide-react';
import { Button } from './button.js';

interface NewRowsProps {
  /** Number of rows that came since the list was read; none shows nothing. */
  readonly count: number;
  /** Whether there may be more of them. */
  readonly hasGap: boolean;
  /** Word for one of them, and for several. */
  readonly words: readonly [string, string];
  readonly onShow: () => void;
}

/** Says above a list that newer rows wait, so that none moves under the pointer. */
export function NewRows({ count, hasGap, words: [one, several], onShow }: NewRowsProps) {
  if (count === 0) return null;
  return (
    <div className="flex justify-center border-b border-line bg-accent-soft py-1">
      <Button look="quiet" className="h-6 text-ink" onClick={onShow}>
        <ArrowUp aria-hidden className="size-3.5" />
        {hasGap ? 'More than ' : ''}
        {count} new {count === 1 ? one : several}
      </Button>
    </div>
  );
}
