import type { BlobStore, DocumentStore } from '#libs/knowledge';

const AT_ONCE = 100;
/** Of one run: a store that does nothing is not asked for each. */
const MOST_FAILURES = 5;
/** Until what could not be removed is tried again: until then the others have their turn. */
const PUT_OFF_MS = 600_000;

/**
 * Removes the blobs that nobody refers to, each by itself and before it is forgotten. What cannot be removed is put off, so
 * that it holds up no other. Answers how many were removed; throws the first failure when the others have been seen to.
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
    if (failures.size >= MOST_FAILURES) break;
  }
  if (removed.length > 0) await documents.forgetBlobs(removed);
  if (failures.size === 0) return removed.length;
  await documents.putOffBlobs([...failures.keys()], PUT_OFF_MS);
  throw [...failures.values()][0];
}
