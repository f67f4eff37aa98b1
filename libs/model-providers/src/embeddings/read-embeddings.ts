import type { Embeddings } from '#libs/knowledge';
import { isJsonObject, type JsonValue } from '#libs/kernel';

const FLOAT_BYTES = 4;

/**
 * Parses the answer to `POST /embeddings`; null if it is invalid. Vectors are base64 of little-endian 32-bit floats, as
 * requested, or numbers; they are ordered by `index`. Pure.
 */
export function readEmbeddings(answer: unknown, texts: number, asked: string): Embeddings | null {
  if (!isJsonObject(answer) || !Array.isArray(answer['data'])) return null;
  const vectors: (Float32Array | undefined)[] = Array.from({ length: texts });
  for (const [position, item] of answer['data'].entries()) {
    if (!isJsonObject(item)) return null;
    const index = typeof item['index'] === 'number' ? item['index'] : position;
    const vector = readVector(item['embedding']);
    if (vector === null || index < 0 || index >= texts || vectors[index] !== undefined) return null;
    vectors[index] = vector;
  }
  const whole = vectors.filter((vector) => vector !== undefined);
  if (whole.length !== texts) return null;
  const model = typeof answer['model'] === 'string' && answer['model'] !== '' ? answer['model'] : asked;
  return { vectors: whole, inputTokens: readTokens(answer['usage']), model };
}

function readVector(given: JsonValue | undefined): Float32Array | null {
  if (typeof given === 'string') {
    const bytes = Buffer.from(given, 'base64');
    if (bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0) return null;
    return Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_none, at) =>
      bytes.readFloatLE(at * FLOAT_BYTES),
    );
  }
  if (!Array.isArray(given) || given.length === 0) return null;
  const isNumeric = given.every((value): value is number => typeof value === 'number');
  return isNumeric ? Float32Array.from(given) : null;
}

function readTokens(usage: JsonValue | undefined): number | null {
  if (!isJsonObject(usage)) return null;
  const tokens = usage['prompt_tokens'] ?? usage['total_tokens'];
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : null;
}
