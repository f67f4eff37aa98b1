import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';

/** Flushes after every chunk: an event must not wait in the decompressor for the next one. */
const AT_ONCE = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(AT_ONCE),
  'x-gzip': () => createGunzip(AT_ONCE),
  deflate: () => createInflate(AT_ONCE),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress(),
};

/**
 * Decompresses a body. Compression is never requested, but some servers and proxies apply it anyway. Unknown encodings
 * are left as they are.
 *
 * @param encoding `content-encoding` header: encodings in the order in which they were applied
 */
export function unpackBody(body: Readable, encoding: string | null): Readable {
  const packings = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase());
  return packings.reduceRight<Readable>((packed, name) => {
    const unpacker = UNPACKERS[name]?.();
    // Errors of either stream surface at the reader of the last one.
    return unpacker === undefined ? packed : pipeline(packed, unpacker, () => undefined);
  }, body);
}
