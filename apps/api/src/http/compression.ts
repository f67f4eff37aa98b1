import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Less does not fill a packet; making it smaller costs more than it saves. */
const MIN_BYTES = 1_400;

/**
 * Nothing else is: an event of `text/event-stream` would wait in the compressor until there are enough of them, and what is
 * downloaded says its length.
 */
const COMPRESSED = /^(application\/(problem\+)?json|application\/javascript|text\/(html|css|javascript))\b/;

/** The default, 11, takes longer than the bytes that it saves. */
const BROTLI_QUALITY = 4;

/** Answers in `br` or `gzip` where the client takes it. Requests are taken as they are: a small one could become huge. */
export async function compressAnswers(instance: FastifyInstance): Promise<void> {
  // The plugin compresses what a list of its own holds for compressible as well, such as any bytes.
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
