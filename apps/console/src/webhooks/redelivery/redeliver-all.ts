/** How far a redelivery of many has come. */
export interface RedeliveryProgress {
  readonly total: number;
  readonly accepted: number;
  /** Refused deliveries, with the words of the refusal. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

interface DeliveryPage {
  readonly data: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
}

/**
 * Ids of all deliveries of a filter, page by page, up to `most`.
 * @param onFound called after each page with the number so far
 */
export async function collectIds(
  readPage: (cursor: string | null) => Promise<DeliveryPage>,
  most: number,
  onFound: (count: number) => void,
): Promise<{ readonly ids: readonly string[]; readonly isCut: boolean }> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: DeliveryPage = await readPage(cursor);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    onFound(Math.min(ids.length, most));
  } while (cursor !== null && ids.length < most);
  return { ids: ids.slice(0, most), isCut: cursor !== null || ids.length > most };
}

interface RedeliverAll {
  readonly ids: readonly string[];
  /** So many requests at the same time. */
  readonly atOnce: number;
  /** Null once it is accepted, or why it is refused. */
  readonly redeliver: (id: string) => Promise<string | null>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RedeliveryProgress) => void;
}

/** Sends deliveries again, in their order and a few at a time, until all are done or it is stopped. */
export async function redeliverAll(run: RedeliverAll): Promise<RedeliveryProgress> {
  const { ids, atOnce, redeliver, signal, onProgress } = run;
  const rest = ids.values();
  let progress: RedeliveryProgress = { total: ids.length, accepted: 0, refused: [] };
  const work = async (): Promise<void> => {
    for (const id of rest) {
      if (signal.aborted) return;
      const reason = await redeliver(id);
      progress =
        reason === null
          ? { ...progress, accepted: progress.accepted + 1 }
          : { ...progress, refused: [...progress.refused, { id, reason }] };
      onProgress(progress);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return progress;
}

/** Refusals by their reason, the most frequent first. Pure. */
export function countReasons(
  refused: RedeliveryProgress['refused'],
): readonly [reason: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { reason } of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}
