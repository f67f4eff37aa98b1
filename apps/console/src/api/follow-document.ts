import { followStream, type FollowStream } from './follow-stream.js';
import type { DocumentEvent } from './types.js';

type Follow = Omit<FollowStream<DocumentEvent>, 'path' | 'isLast'> & { readonly documentId: string };

/**
 * Follows the ingestion of a document until it is ready, has failed or is deleted.
 * @throws {ApiProblem} when the server refuses
 */
export function followDocument({ documentId, ...follow }: Follow): Promise<void> {
  const path = `/api/documents/${encodeURIComponent(documentId)}/events/`;
  return followStream({ ...follow, path, isLast: ({ event }) => event === 'end' });
}
