/** The form of keys from `blobKeyOf`; no key can leave the folder or the prefix. */
const KEY = /^[a-zA-Z0-9_-]+\/[a-zA-Z0-9-]+$/;

export function assertBlobKey(key: string): void {
  if (!KEY.test(key)) throw new Error('this is no key of a blob');
}
