import {
  CircleCheck,
  CircleDashed,
  CircleX,
  LoaderCircle,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import { clsx } from 'clsx';
import type { KnowledgeDocument } from '../api/types.js';
import { stateWords } from './document-state.js';

interface Look {
  readonly icon: LucideIcon;
  readonly colour: string;
}

/** State of a document by word, shape and colour; warnings are said beside `Ready`. */
export function DocumentStatus({ document }: { readonly document: KnowledgeDocument }) {
  const { icon: Icon, colour } = lookOf(document);
  const { length } = document.warnings;
  return (
    <span className={clsx('inline-flex items-center gap-1.5 align-middle whitespace-nowrap', colour)}>
      <Icon
        aria-hidden
        className={clsx('size-3.5 shrink-0', Icon === LoaderCircle && 'animate-[spin_2s_linear_infinite]')}
      />
      {stateWords(document)}
      {length > 0 && `, ${length} ${length === 1 ? 'warning' : 'warnings'}`}
    </span>
  );
}

function lookOf({ state, warnings }: KnowledgeDocument): Look {
  if (state === 'waiting') return { icon: CircleDashed, colour: 'text-muted' };
  if (state === 'failed') return { icon: CircleX, colour: 'text-failed' };
  if (state !== 'ready') return { icon: LoaderCircle, colour: 'text-running' };
  return warnings.length > 0
    ? { icon: TriangleAlert, colour: 'text-action' }
    : { icon: CircleCheck, colour: 'text-done' };
}
