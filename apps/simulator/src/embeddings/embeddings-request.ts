import { z } from 'zod';
import { invalidRequest, modelNotFound } from '../http/api-error.js';
import { explainIssue } from '../http/explain-issue.js';
import { DEFAULT_DIMENSIONS, MAX_DIMENSIONS } from './dimensions.js';
import { EMBEDDING_MODELS, type EmbeddingModel } from './embedding-model.js';

const token = z.number().int().min(0);
const schema = z.strictObject({
  model: z.string().min(1),
  input: z.union([
    z.string(),
    z
      .array(z.union([z.string(), token, z.array(token)]))
      .min(1)
      .max(2048),
  ]),
  dimensions: z.number().int().min(1).max(MAX_DIMENSIONS).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  user: z.string().max(128).nullish(),
});

/** A request for embeddings; each input is a text or a list of token numbers. */
export interface EmbeddingsRequest {
  readonly model: EmbeddingModel;
  readonly inputs: readonly (string | readonly number[])[];
  readonly dimensions: number;
  readonly encoding: 'float' | 'base64';
}

/** Validates the body of `POST /v1/embeddings`. Throws `ApiError` 400 or 404 as the real API does. */
export function parseEmbeddingsRequest(data: unknown): EmbeddingsRequest {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw explainIssue(parsed.error, data);
  const { model: name, input, dimensions, encoding_format: encoding } = parsed.data;
  const model = EMBEDDING_MODELS.find(({ card }) => card.id === name);
  if (model === undefined) throw modelNotFound(name);
  const inputs = listInputs(input);
  if (inputs.some((one) => one.length === 0)) {
    throw invalidRequest("Invalid 'input': input cannot be an empty string.", 'input', 'invalid_value');
  }
  return { model, inputs, dimensions: dimensions ?? DEFAULT_DIMENSIONS, encoding: encoding ?? 'float' };
}

/** A list of numbers is one text in tokens. */
function listInputs(input: z.infer<typeof schema>['input']): readonly (string | readonly number[])[] {
  if (typeof input === 'string') return [input];
  const tokens = input.filter((one) => typeof one === 'number');
  if (tokens.length === input.length) return [tokens];
  const texts = input.filter((one) => typeof one !== 'number');
  if (tokens.length === 0) return texts;
  throw invalidRequest("Invalid 'input': texts and token numbers cannot be mixed.", 'input', 'invalid_type');
}
