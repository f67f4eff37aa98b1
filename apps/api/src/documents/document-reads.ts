import { Combiner } from '#libs/concurrency';
import type { Timers } from '#libs/kernel';
import type { DocumentView, DocumentViewStore } from '#libs/persistence';

/** How long a question waits for others, to be asked together with them. */
const GATHER_MS = 1_000;
const AT_A_TIME = 1_000;

/**
 * Documents that somebody follows. One question a second for all followers of a process, and none while there is none:
 * workers announce no progress, since taking a document in takes seconds to hours and hardly anybody looks on.
 */
export class DocumentReads {
  private readonly reads: Combiner<string, DocumentView | null>;

  constructor(documents: Pick<DocumentViewStore, 'findAll'>, timers: Timers) {
    this.reads = new Combiner<string, DocumentView | null>({
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

  /** Null when there is none any more. About a second late. */
  read(documentId: string): Promise<DocumentView | null> {
    return this.reads.call(documentId);
  }
}
