/** Passes bytes on and verifies their hash, because a stored file may be damaged or replaced. */
export function checkedBytes(
  bytes: AsyncIterable<Uint8Array>,
  contentHash: Buffer,
  hasher: { update(bytes: Uint8Array): unknown; digest(): Buffer },
): { readonly bytes: AsyncIterable<Uint8Array>; readonly isSame: () => boolean } {
  let isSame = false;
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const part of bytes) {
      hasher.update(part);
      yield part;
    }
    isSame = hasher.digest().equals(contentHash);
  }
  return { bytes: hashed(), isSame: () => isSame };
}
