import { Ban, CircleCheck, CircleDashed, type LucideIcon } from 'lucide-react';
import { clsx } from 'clsx';

const LOOK: Readonly<Record<string, { icon: LucideIcon; colour: string }>> = {
  Active: { icon: CircleCheck, colour: 'text-done' },
  Inactive: { icon: Ban, colour: 'text-muted' },
  Expired: { icon: CircleDashed, colour: 'text-partial' },
  Revoked: { icon: Ban, colour: 'text-failed' },
};

/** State of a setting by a word, a shape and a colour. */
export function StateWord({ word }: { readonly word: 'Active' | 'Inactive' | 'Expired' | 'Revoked' }) {
  const { icon: Icon = Ban, colour } = LOOK[word] ?? {};
  return (
    <span className={clsx('inline-flex items-center gap-1.5 align-middle', colour)}>
      <Icon aria-hidden className="size-3.5 shrink-0" /> {word}
    </span>
  );
}
