import type { MonotonicClock } from '#libs/kernel';
import { INGESTION_STATES } from '#libs/knowledge';
import type { DocumentView } from '#libs/persistence';

/** What whoever follows a document hears of it. */
export type DocumentEvent =
  | { readonly event: 'state'; readonly id: string; readonly data: DocumentView }
  | { readonly event: 'end'; readonly id: string; readonly data: { readonly reason: DocumentEnd } }
  | { readonly event: 'heartbeat'; readonly data: Readonly<Record<string, never>> };

/** Why there is nothing more to hear. */
export const DOCUMENT_ENDS = ['ready', 'failed', 'deleted'] as const;
type DocumentEnd = (typeof DOCUMENT_ENDS)[number];

/** What ids of these events look like; who resumes names one. */
export const DOCUMENT_EVENT_ID = /^(\d{1,10}-\d-\d{1,10}-\d{0,10}(-\d{1,15})?(-end)?|deleted)$/;

/** Silence before a heartbeat. */
const HEARTBEAT_MS = 10_000;

export interface DocumentSources {
  /** The document as it is now; null when it is gone. It paces the following: it answers about a second late. */
  readonly read: () => Promise<DocumentView | null>;
  readonly clock: MonotonicClock;
}

/** Pure: what there is to see of how far a document has come and what it waits for. Two that are alike have the same. */
export function stateIdOf({ generation, state, progress, last_error }: DocumentView): string {
  const { done, total } = progress;
  const putOff = last_error === null ? '' : `-${Date.parse(last_error.next_try_at)}`;
  return `${generation}-${INGESTION_STATES.indexOf(state)}-${done}-${total ?? ''}${putOff}`;
}

/** Pure: whether a client that has seen the event `seenId` has seen everything, until the document is given anew. */
export function hasSeenEnd(document: DocumentView, seenId: string | null): boolean {
  return endOf(document) !== null && seenId === endIdOf(document);
}

/**
 * A document as it stands, unless `seenId` says that the client knows, and then as it changes, up to an `end`: what was
 * given last is ready, has failed, or is gone. What was given anew in the meantime is followed on. Changes that come faster
 * than they are read are one.
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

/** A database that does not answer is asked again: a follower stays where it is. */
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
