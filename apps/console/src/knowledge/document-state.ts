import type { KnowledgeDocument } from '../api/types.js';

type State = KnowledgeDocument['state'];

const STATES_OF = {
  progress: ['waiting', 'fetching', 'parsing', 'chunking', 'embedding', 'indexing'],
  ready: ['ready'],
  failed: ['failed'],
} as const satisfies Readonly<Record<string, readonly State[]>>;

/** States of documents as the filter groups them. */
export type StateGroup = keyof typeof STATES_OF;
export const STATE_GROUPS = Object.keys(STATES_OF) as StateGroup[];

/** States of a group, as the API takes them. Pure. */
export const statesOf = (group: StateGroup): string => STATES_OF[group].join(',');

/** Whether a worker still has something to do. Pure. */
export const isUnderWay = ({ state }: Pick<KnowledgeDocument, 'state'>): boolean =>
  state !== 'ready' && state !== 'failed';

/** How far the ingestion has come, from 0 to 1; null where no one can say. Pure. */
export function progressOf({ state, progress: { done, total } }: KnowledgeDocument): number | null {
  if (state === 'ready') return 1;
  if (state !== 'embedding' || total === null || total === 0) return null;
  return Math.min(1, done / total);
}

/** The state in words, with the progress where there is one. Pure. */
export function stateWords({ state, progress: { done, total } }: KnowledgeDocument): string {
  const word = `${state.slice(0, 1).toUpperCase()}${state.slice(1)}`;
  if (state === 'chunking' && done > 0) return `${word}, ${done} chunks`;
  if (state === 'embedding' && total !== null) return `${word} ${done} of ${total}`;
  return word;
}
