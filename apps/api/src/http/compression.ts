import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Minimum bytes to compress: a smaller answer fits into one packet anyway. */
const MIN_BYTES = 1_400;

/**
 * Media types to compress. Events are excluded, since the compressor would delay them; downloads, since they declare their
 * length.
 */
const COMPRESSED = /^(application\/(problem\+)?json|application\/javascript|text\/(html|css|javascript))\b/;

/** Below the default of 11, which takes more time than the saved bytes are worth. */
const BROTLI_QUALITY = 4;

/**
 * Compresses answers with `br` or `gzip`. Compressed requests are not accepted, since a small one can expand to a huge body.
 */
export async function compressAnswers(instance: FastifyInstance): Promise<void> {
  // The plugin would also compress further types of its own list, for example arbitrary bytes.
  instance.addHook('onSend', (request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && !COMPRESSED.test(type)) request.headers['x-no-compression'] = 'true';
    done(null, payload);
  });
  await instance.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: MIN_BYTES,
    customTypes: COMPRESSED,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    globalDecompression: false,
  });
}
