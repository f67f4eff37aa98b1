import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { UnreadableDocumentError } from '#libs/knowledge';

/** Unpacked. A thousand pages are about 20 MB. */
const MAX_PART_BYTES = 256 * 1_024 * 1_024;
const MAX_ENTRIES = 10_000;

/** The bytes of one file of a ZIP archive, as they are unpacked, so that a small archive of a huge file stops early. */
export async function* openPart(bytes: Buffer, name: string): AsyncGenerator<Uint8Array> {
  const zip = await orDamaged(() => fromBufferPromise(bytes, { lazyEntries: true, autoClose: false }));
  const entry = await orDamaged(() => findEntry(zip, name));
  if (entry === null) throw new UnreadableDocumentError('damaged');
  if (entry.isEncrypted()) throw new UnreadableDocumentError('encrypted');
  if (entry.uncompressedSize > MAX_PART_BYTES) throw new UnreadableDocumentError('too_complex');
  const stream = await orDamaged(() => zip.openReadStreamPromise(entry));
  let total = 0;
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      total += part.length;
      if (total > MAX_PART_BYTES) throw new UnreadableDocumentError('too_complex');
      yield part;
    }
  } catch (error) {
    if (error instanceof UnreadableDocumentError) throw error;
    throw new UnreadableDocumentError('damaged');
  }
}

async function findEntry(zip: ZipFile, name: string): Promise<Entry | null> {
  if (zip.entryCount > MAX_ENTRIES) throw new UnreadableDocumentError('too_complex');
  for await (const entry of zip.eachEntry()) if (entry.fileName === name) return entry;
  return null;
}

async function orDamaged<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableDocumentError) throw error;
    throw new UnreadableDocumentError('damaged');
  }
}
