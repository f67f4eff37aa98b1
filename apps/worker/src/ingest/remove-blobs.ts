import type { BlobStore, DocumentStore } from '#libs/knowledge';

const AT_ONCE = 100;
/** Maximum failures per run, so that a failing store is not called for each blob. */
const MAX_FAILURES = 5;
/** Delay in milliseconds before a failed removal is retried; the other blobs come first. */
const PUT_OFF_MS = 600_000;

/**
 * Removes unreferenced blobs one by one, and each before its row is deleted. Failed removals are postponed, so that they
 * do not hold up others. Returns the number of removed blobs; throws the first failure at the end.
 */
export async function removeBlobs(
  documents: Pick<DocumentStore, 'disposableBlobs' | 'forgetBlobs' | 'putOffBlobs'>,
  blobs: Pick<BlobStore, 'remove'>,
): Promise<number> {
  const removed: string[] = [];
  const failures = new Map<string, unknown>();
  for (const key of await documents.disposableBlobs(AT_ONCE)) {
    try {
      await blobs.remove(key);
      removed.push(key);
    } catch (error) {
      failures.set(key, error);
    }
    if (failures.size >= MAX_FAILURES) break;
  }
  if (removed.length > 0) await documents.forgetBlobs(removed);
  if (failures.size === 0) return removed.length;
  await documents.putOffBlobs([...failures.keys()], PUT_OFF_MS);
  throw [...failures.values()][0];
}
