/**
 * How far a generation of a document has come: the step that is under way, or next. `waiting`: nobody has begun. The last
 * two are endings.
 */
export const INGESTION_STATES = [
  'waiting',
  'fetching',
  'parsing',
  'chunking',
  'embedding',
  'indexing',
  'ready',
  'failed',
] as const;
export type IngestionState = (typeof INGESTION_STATES)[number];

/** What a worker does for a generation, in this order. Each begins anew where its worker was lost. */
export type IngestionStep = Exclude<IngestionState, 'waiting' | 'ready' | 'failed'>;

/**
 * Pure: what is to be done next, by what is stored. Making chunks begins with the parser again: it is cheap beside vectors,
 * and its result is kept nowhere.
 */
export function nextStep(stored: {
  readonly state: IngestionState;
  /** Whether the original is kept. */
  readonly hasOriginal: boolean;
}): IngestionStep | null {
  switch (stored.state) {
    case 'waiting':
    case 'fetching':
      return stored.hasOriginal ? 'parsing' : 'fetching';
    case 'parsing':
    case 'chunking':
      return 'parsing';
    case 'embedding':
    case 'indexing':
      return stored.state;
    case 'ready':
    case 'failed':
      return null;
  }
}
