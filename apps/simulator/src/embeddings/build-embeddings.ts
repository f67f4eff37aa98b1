import { estimateTokens } from '../responses/estimate-tokens.js';
import { embedTokens } from './embed-text.js';
import type { EmbeddingsRequest } from './embeddings-request.js';

/** Body of the answer to `POST /v1/embeddings`. */
export function buildEmbeddings(request: EmbeddingsRequest) {
  const tokens = request.inputs.reduce(
    (sum: number, input) => sum + (typeof input === 'string' ? estimateTokens(input) : input.length),
    0,
  );
  return {
    object: 'list',
    data: request.inputs.map((input, index) => ({
      object: 'embedding',
      index,
      embedding: encode(embed(input, request), request.encoding),
    })),
    model: request.model.card.id,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function embed(
  input: string | readonly number[],
  { model, dimensions }: Pick<EmbeddingsRequest, 'model' | 'dimensions'>,
): Float32Array {
  return typeof input === 'string' ? model.embed(input, dimensions) : embedTokens(input, dimensions);
}

/** Base64 encodes the components as little-endian 32-bit floats. */
function encode(vector: Float32Array, encoding: EmbeddingsRequest['encoding']): readonly number[] | string {
  if (encoding === 'float') return [...vector];
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes.toString('base64');
}
