/**
 * Progress of a document's generation: the current or next step. `waiting`: not started. `ready` and `failed` are
 * final.
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

/** Ingestion steps in order. A step starts over if its worker was lost. */
export type IngestionStep = Exclude<IngestionState, 'waiting' | 'ready' | 'failed'>;

/**
 * The next step, by the stored state; null if there is none. Pure. Chunking restarts with the parser: parsing is cheap
 * compared to embedding, and its result is not stored.
 */
export function nextStep(stored: {
  readonly state: IngestionState;
  /** True if the original file is stored. */
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
