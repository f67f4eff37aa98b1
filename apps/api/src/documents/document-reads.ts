import { BatchExecutor } from '#libs/concurrency';
import type { Timers } from '#libs/kernel';
import type { DocumentView, DocumentViewStore } from '#libs/persistence';

/** Time for which reads are collected into one query, in ms. */
const GATHER_MS = 1_000;
const AT_A_TIME = 1_000;

/**
 * Reads documents for all followers of a process by at most one query a second, and none without followers. Workers publish
 * no progress, since ingestion takes seconds to hours and few clients follow it.
 */
export class DocumentReads {
  private readonly reads: BatchExecutor<string, DocumentView | null>;

  constructor(documents: Pick<DocumentViewStore, 'findAll'>, timers: Timers) {
    this.reads = new BatchExecutor<string, DocumentView | null>({
      runTogether: async (ids) => {
        const found = await documents.findAll([...new Set(ids)]);
        return ids.map((id) => ({ kind: 'done', value: found.get(id) ?? null }));
      },
      runAlone: async (id) => (await documents.findAll([id])).get(id) ?? null,
      mayRunAlone: () => false,
      lanes: 1,
      mostItems: AT_A_TIME,
      defer: (begin) => void timers.after(GATHER_MS, begin),
    });
  }

  /** The document, up to about a second late; null once it is deleted. */
  read(documentId: string): Promise<DocumentView | null> {
    return this.reads.call(documentId);
  }
}
