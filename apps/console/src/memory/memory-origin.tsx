import { Globe, GraduationCap, PencilLine, UserPen } from 'lucide-react';
import type { Memory } from '../api/types.js';

/** How a memory came to be: learnt, learnt and changed by a person, or written by one; and whether it is foreign. */
export function MemoryOrigin({ memory }: { readonly memory: Memory }) {
  const { icon: Icon, word } = lookOf(memory);
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      <Icon aria-hidden className="size-3.5 shrink-0 text-muted" />
      {word}
      {memory.is_foreign && (
        <span
          className="inline-flex items-center gap-1 text-action"
          title="Learnt where foreign content had been read: agents that know it count as having read such"
        >
          <Globe aria-hidden className="size-3.5" /> foreign
        </span>
      )}
    </span>
  );
}

function lookOf({ origin, is_edited: isEdited }: Memory) {
  if (origin === 'person') return { icon: UserPen, word: 'Written' };
  return isEdited ? { icon: PencilLine, word: 'Changed' } : { icon: GraduationCap, word: 'Learnt' };
}
