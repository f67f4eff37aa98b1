import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import type { ChatDialect } from '../wire/chat-completions/build-chat-request.js';
import {
  invalidCredential,
  SHARED_FIELDS,
  sharedShape,
  type CredentialForm,
} from '../provider/credential-form.js';
import { readText } from '../provider/credentials.js';

/** Maximum texts that OpenAI accepts per embedding call. */
const MAX_BATCH = 2_048;
const LIMIT_FIELDS = ['max_tokens', 'max_completion_tokens'] as const;

/** Credentials for servers of the Chat Completions API, with options for their differences. */
export const compatibleCredentials: CredentialForm = {
  keyField: 'api_key',
  baseField: 'api_base',
  organizationField: null,
  hasHome: false,
  completeBase: (base) => (new URL(base).pathname === '/' ? `${base}/v1` : base),
  readOptions,
  fields: [
    { variable: 'api_key', label: 'API key', type: 'secret-input', required: false },
    { variable: 'api_base', label: 'API base', type: 'text-input', required: true },
    { variable: 'api_version', label: 'API version (Azure)', type: 'text-input', required: false },
    {
      variable: 'limit_field',
      label: 'Field of the output limit (max_tokens or max_completion_tokens)',
      type: 'text-input',
      required: false,
      default: 'max_tokens',
    },
    ...SHARED_FIELDS,
  ],
  shape: {
    api_key: z
      .string()
      .max(1_000)
      .optional()
      .describe(
        'Provider `openai_compatible`. Kept sealed and never shown again; belongs to this `api_base`. Without both, the server’s own are used.',
      ),
    api_base: z
      .string()
      .max(2_048)
      .optional()
      .describe(
        'Provider `openai_compatible`. Where `/chat/completions` is found below, e.g. `http://vllm:8000/v1`; a bare host is completed by /v1.',
      ),
    api_version: z
      .string()
      .max(40)
      .optional()
      .describe(
        'Provider `openai_compatible`. For Azure’s dated APIs: sent as `api-version`, the key then as `api-key`.',
      ),
    limit_field: z
      .enum(LIMIT_FIELDS)
      .optional()
      .describe(
        'Provider `openai_compatible`. The field that `max_output_tokens` is sent in; `max_tokens` by default.',
      ),
    stream_usage: z
      .boolean()
      .optional()
      .describe(
        'Provider `openai_compatible`. false: never ask for `stream_options`, for a server that refuses it; the usage of streamed answers is then unknown unless it reports it by itself.',
      ),
    embedding_dimensions: z
      .boolean()
      .optional()
      .describe(
        'Provider `openai_compatible`. false: never send `dimensions` when asking for vectors; by default it is sent until the server refuses it.',
      ),
    embedding_batch_size: z
      .int('must be a whole number')
      .min(1)
      .max(MAX_BATCH)
      .optional()
      .describe(
        'Provider `openai_compatible`. Texts of one call for vectors, 1 … 2048, 64 by default; fewer once the server refuses so many.',
      ),
    ...sharedShape,
  },
};

function readOptions(raw: Readonly<Record<string, unknown>>): JsonObject {
  const version = readText(raw['api_version']);
  if (!/^[A-Za-z0-9._-]*$/.test(version)) {
    throw invalidCredential('api_version', 'api_version must consist of letters, digits, dots and dashes');
  }
  const limitField = LIMIT_FIELDS.find((field) => field === raw['limit_field']);
  return {
    ...(version !== '' && { api_version: version }),
    ...(limitField !== undefined && { limit_field: limitField }),
    ...(raw['stream_usage'] === false && { stream_usage: false }),
    ...(raw['embedding_dimensions'] === false && { embedding_dimensions: false }),
    ...(isBatchSize(raw['embedding_batch_size']) && { embedding_batch_size: raw['embedding_batch_size'] }),
  };
}

function isBatchSize(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_BATCH;
}

/** Request format for these options. */
export function dialectOf(options: JsonObject): ChatDialect {
  const limitField = LIMIT_FIELDS.find((field) => field === options['limit_field']) ?? 'max_tokens';
  return { limitField, streamsUsage: options['stream_usage'] !== false };
}
