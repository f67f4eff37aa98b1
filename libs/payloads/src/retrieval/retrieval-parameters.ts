import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { z } from 'zod';
import { idInBodySchema } from '../requests/request-values.js';

const MAX_DATASOURCES = 32;
const MAX_CONTEXT_CHARS = 200_000;
const MAX_SNIPPET_CHARS = 4_000;
const MAX_TEMPLATE_CHARS = 20_000;

/** Placeholders of a template for the passages and the question. */
const CHUNKS_PLACE = '{{chunks}}';
const QUESTION_PLACE = '{{question}}';

const DEFAULT_TEMPLATE = `Answer the question with the help of these passages, as far as they say something about it.\n\n${CHUNKS_PLACE}\n\nQuestion: ${QUESTION_PLACE}`;

const datasourceIds = z
  .array(idInBodySchema)
  .min(1)
  .max(MAX_DATASOURCES)
  .transform((ids) => [...new Set(ids)]);

/** Parameters of a search (3.H-13). */
export const retrievalTerms = {
  top_k: z.number().int().min(1).max(100).default(5),
  score_threshold: z.number().min(0).max(1).default(0),
  /** Model that must have made the vectors; null accepts any. */
  embed_model: z.string().min(1).max(200).nullable().default(null),
  retrieval_mode: z.enum(['UNION', 'MERGE_RANK']).default('UNION'),
  dedup_strategy: z.enum(['NONE', 'HASH_EXACT']).default('NONE'),
};

/** Search parameters with datasources; also the setup of a search tool. */
const searchShape = {
  datasource_ids: datasourceIds,
  ...retrievalTerms,
  max_context_chars: z.number().int().min(1).max(MAX_CONTEXT_CHARS).default(8_000),
  citation_snippet_chars: z.number().int().min(1).max(MAX_SNIPPET_CHARS).default(200),
  /** Whether adjacent chunks of a document are merged into one passage (S3-7). */
  chunk_merge: z.boolean().default(false),
};

/** Setup of a search in a tenant's documents. */
const searchParametersSchema = z.strictObject(searchShape);
export type SearchParameters = z.infer<typeof searchParametersSchema>;

/** Retrieval parameters in `config` and `options` of a `RAG_CHAT` agent (S3-7, S3-34, 3.H-13). */
const retrievalParametersSchema = z.object({
  ...searchShape,
  chunk_merge_strategy: z.enum(['NEWLINE', 'TITLE_PREFIX']).default('NEWLINE'),
  context_template: z.string().max(MAX_TEMPLATE_CHARS).default(DEFAULT_TEMPLATE),
});
export type RetrievalParameters = z.infer<typeof retrievalParametersSchema>;

/** Keys of the retrieval; they are never sent to a model. */
export const RETRIEVAL_PARAMETER_NAMES: readonly string[] = Object.keys(retrievalParametersSchema.shape);

/** Validation error of one parameter, in the words of 3.H-13. */
export interface RetrievalFault {
  /** Path from the containing object: the key, then the position in its value. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Allowed values. */
  readonly allowed: string;
}

export type RetrievalReading<Parameters> =
  | { readonly kind: 'read'; readonly parameters: Parameters }
  | { readonly kind: 'faults'; readonly faults: readonly RetrievalFault[] };

export function readSearchParameters(given: JsonValue): RetrievalReading<SearchParameters> {
  const read = searchParametersSchema.safeParse(given);
  if (read.success) return { kind: 'read', parameters: read.data };
  const faults = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => toFault([key], {}))
      : toFault(issue.path.length === 0 ? ['datasource_ids'] : issue.path, isJsonObject(given) ? given : {}),
  );
  return { kind: 'faults', faults };
}

/** Reads merged `config` and `options`; ignores other keys. Pure. */
export function readRetrievalParameters(merged: JsonObject): RetrievalReading<RetrievalParameters> {
  const read = retrievalParametersSchema.safeParse(merged);
  const faults = read.success ? [] : read.error.issues.map(({ path }) => toFault(path, merged));
  const template = read.success ? read.data.context_template : merged['context_template'];
  if (typeof template === 'string' && !hasPlaces(template)) faults.push(PLACES_MISSING);
  if (read.success && faults.length === 0) return { kind: 'read', parameters: read.data };
  return { kind: 'faults', faults };
}

export function withoutRetrieval(parameters: JsonObject): JsonObject {
  const rest = Object.entries(parameters).filter(([key]) => !RETRIEVAL_PARAMETER_NAMES.includes(key));
  return Object.fromEntries(rest);
}

function hasPlaces(template: string): boolean {
  return template.includes(CHUNKS_PLACE) && template.includes(QUESTION_PLACE);
}

const ALLOWED: Readonly<Record<string, string>> = {
  datasource_ids: `a list of 1 to ${MAX_DATASOURCES} ids of datasources`,
  top_k: 'a whole number from 1 to 100',
  score_threshold: 'a number from 0 to 1',
  embed_model: 'the name of a model, or null',
  retrieval_mode: 'UNION or MERGE_RANK',
  dedup_strategy: 'NONE or HASH_EXACT',
  max_context_chars: `a whole number from 1 to ${MAX_CONTEXT_CHARS}`,
  citation_snippet_chars: `a whole number from 1 to ${MAX_SNIPPET_CHARS}`,
  chunk_merge: 'true or false',
  chunk_merge_strategy: 'NEWLINE or TITLE_PREFIX',
  context_template: `a text of at most ${MAX_TEMPLATE_CHARS} characters with ${CHUNKS_PLACE} and ${QUESTION_PLACE}`,
};

const PLACES_MISSING: RetrievalFault = {
  path: ['context_template'],
  message: 'context_template placeholders missing',
  allowed: ALLOWED['context_template'] ?? '',
};

function toFault(path: readonly PropertyKey[], merged: JsonObject): RetrievalFault {
  const key = String(path[0]);
  const at = path.map((part) => (typeof part === 'number' ? part : String(part)));
  const message =
    key === 'datasource_ids' && !isGiven(merged[key])
      ? 'datasource_ids required'
      : `retrieval param invalid: ${key}`;
  return { path: at, message, allowed: ALLOWED[key] ?? 'left out: nothing is known by this name' };
}

function isGiven(ids: JsonValue | undefined): boolean {
  return Array.isArray(ids) && ids.length > 0;
}
