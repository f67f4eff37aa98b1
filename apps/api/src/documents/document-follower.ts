import type { MonotonicClock } from '#libs/kernel';
import { INGESTION_STATES } from '#libs/knowledge';
import type { DocumentView } from '#libs/persistence';

/** Event that a follower of a document receives. */
export type DocumentEvent =
  | { readonly event: 'state'; readonly id: string; readonly data: DocumentView }
  | { readonly event: 'end'; readonly id: string; readonly data: { readonly reason: DocumentEnd } }
  | { readonly event: 'heartbeat'; readonly data: Readonly<Record<string, never>> };

/** Reasons for which the stream of a document ends. */
export const DOCUMENT_ENDS = ['ready', 'failed', 'deleted'] as const;
type DocumentEnd = (typeof DOCUMENT_ENDS)[number];

/** Format of event ids; a client resumes by naming one. */
export const DOCUMENT_EVENT_ID = /^(\d{1,10}-\d-\d{1,10}-\d{0,10}(-\d{1,15})?(-end)?|deleted)$/;

/** Maximum silence before a heartbeat. */
const HEARTBEAT_MS = 10_000;

export interface DocumentSources {
  /** Reads the current document; null once it is deleted. Each read takes about a second, which sets the pace. */
  readonly read: () => Promise<DocumentView | null>;
  readonly clock: MonotonicClock;
}

/** Pure: the event id of a document's state, progress and next retry. Equal states have equal ids. */
export function stateIdOf({ generation, state, progress, last_error }: DocumentView): string {
  const { done, total } = progress;
  const putOff = last_error === null ? '' : `-${Date.parse(last_error.next_try_at)}`;
  return `${generation}-${INGESTION_STATES.indexOf(state)}-${done}-${total ?? ''}${putOff}`;
}

/** Pure: whether `seenId` is the final event of the document's current generation. */
export function hasSeenEnd(document: DocumentView, seenId: string | null): boolean {
  return endOf(document) !== null && seenId === endIdOf(document);
}

/**
 * Yields the state of a document, unless `seenId` names it, then each change up to an `end`: the newest generation is ready,
 * has failed, or the document is deleted. Changes that come faster than the reads are merged into one.
 */
export async function* documentEvents(
  { read, clock }: DocumentSources,
  first: DocumentView,
  seenId: string | null,
  signal: AbortSignal,
): AsyncGenerator<DocumentEvent, void, undefined> {
  let known = seenId;
  let saidAt = clock.monotonic();
  for (let document: DocumentView | null = first; !signal.aborted;) {
    if (document === null) {
      yield { event: 'end', id: 'deleted', data: { reason: 'deleted' } };
      return;
    }
    const id = stateIdOf(document);
    if (id !== known) {
      yield { event: 'state', id, data: document };
      [known, saidAt] = [id, clock.monotonic()];
    }
    const reason = endOf(document);
    if (reason !== null) {
      yield { event: 'end', id: endIdOf(document), data: { reason } };
      return;
    }
    if (clock.monotonic() - saidAt >= HEARTBEAT_MS) {
      yield { event: 'heartbeat', data: {} };
      saidAt = clock.monotonic();
    }
    document = await readOr(read, document);
  }
}

/** A failed database read keeps the last known document, so the stream survives an outage. */
async function readOr(read: DocumentSources['read'], before: DocumentView): Promise<DocumentView | null> {
  try {
    return await read();
  } catch {
    return before;
  }
}

function endOf({ state }: DocumentView): 'ready' | 'failed' | null {
  return state === 'ready' || state === 'failed' ? state : null;
}

function endIdOf(document: DocumentView): string {
  return `${stateIdOf(document)}-end`;
}
