import type { BlobStore, DocumentStore } from '#libs/knowledge';

const AT_ONCE = 100;

/** Removes the blobs that nobody refers to, each before it is forgotten. Answers how many those were. */
export async function removeBlobs(
  documents: Pick<DocumentStore, 'disposableBlobs' | 'forgetBlobs'>,
  blobs: Pick<BlobStore, 'remove'>,
): Promise<number> {
  const keys = await documents.disposableBlobs(AT_ONCE);
  for (const key of keys) await blobs.remove(key);
  if (keys.length > 0) await documents.forgetBlobs(keys);
  return keys.length;
}
