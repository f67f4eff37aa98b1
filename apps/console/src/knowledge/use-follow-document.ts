import { useEffect, useEffectEvent } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { followDocument } from '../api/follow-document.js';
import type { DocumentEvent, KnowledgeDocument } from '../api/types.js';

/**
 * Follows the ingestion of a document while the page shows it.
 * @param id null follows nothing
 * @param generation a new one is followed anew
 */
export function useFollowDocument(
  id: string | null,
  generation: number,
  onState: (document: KnowledgeDocument) => void,
): void {
  const queries = useQueryClient();
  const take = useEffectEvent((events: readonly DocumentEvent[]): void => {
    const latest = events.findLast(({ event }) => event === 'state');
    if (latest?.event === 'state') onState(latest.data);
    if (events.every(({ event }) => event !== 'end')) return;
    void queries.invalidateQueries({ queryKey: ['document', id] });
    void queries.invalidateQueries({ queryKey: ['datasource'] });
  });
  useEffect(() => {
    if (id === null) return undefined;
    const leaving = new AbortController();
    followDocument({
      documentId: id,
      signal: leaving.signal,
      onConnection: () => undefined,
      onEvents: (events) => {
        if (!leaving.signal.aborted) take(events);
      },
    }).catch(() => {
      // A refused stream leaves the page as it is: it says why it cannot be read where it is read itself.
    });
    return () => leaving.abort();
  }, [id, generation]);
}
