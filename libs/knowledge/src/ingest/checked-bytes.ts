/** Bytes as they come, and whether all of them were those of this hash: a file may be damaged or exchanged. */
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
