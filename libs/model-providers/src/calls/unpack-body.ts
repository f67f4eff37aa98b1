import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';

/** What has come is passed on at once: an event must not wait for the next one. */
const AT_ONCE = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(AT_ONCE),
  'x-gzip': () => createGunzip(AT_ONCE),
  deflate: () => createInflate(AT_ONCE),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress(),
};

/**
 * The body as it was before a server, or a proxy before it, packed it. None is asked to; some do so all the same. A
 * packing that is not known is left alone.
 * @param encoding the header `content-encoding`: packings in the order in which they were put on
 */
export function unpackBody(body: Readable, encoding: string | null): Readable {
  const packings = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase());
  return packings.reduceRight<Readable>((packed, name) => {
    const unpacker = UNPACKERS[name]?.();
    // An error of either reaches whoever reads the last one.
    return unpacker === undefined ? packed : pipeline(packed, unpacker, () => undefined);
  }, body);
}
