import { toStorableText } from '#libs/kernel';
import { z } from 'zod';
import { citationSchema } from './citation.js';
import { documentWarningSchema } from './document-warning.js';
import { retrievalTerms } from './retrieval-parameters.js';
import { retrievalUsageSchema } from './retrieval-usage.js';

/** Maximum characters of a question; a model would truncate longer ones. */
const MAX_QUESTION_CHARS = 8_000;

/** A retrieval that a person tries (3.H-13). */
export const documentSearchSchema = z.strictObject({
  question: z
    .string()
    .overwrite((text) => toStorableText(text).trim())
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .describe('The text to search for.'),
  top_k: retrievalTerms.top_k.describe('Maximum number of chunks.'),
  score_threshold: retrievalTerms.score_threshold.describe('Minimum similarity of a chunk, 0 to 1.'),
  embed_model: retrievalTerms.embed_model.describe(
    'Only chunks with vectors of this model; null: of any model.',
  ),
  retrieval_mode: retrievalTerms.retrieval_mode.describe(
    'How results of several datasources are combined, as in the `config` of an agent; no effect with one.',
  ),
  dedup_strategy: retrievalTerms.dedup_strategy.describe(
    'Whether chunks with the same text are returned only once.',
  ),
});
export type DocumentSearch = z.infer<typeof documentSearchSchema>;

const hitSchema = z.object({
  ...citationSchema.omit({ snippet: true, doc_id: true }).shape,
  document_id: z.string(),
  headings: z.array(z.string()).describe('Headings above it, outermost first.'),
  page: z.int().nullable().describe('Page number from 1; null if the document has no pages.'),
  text: z.string(),
  warnings: z
    .array(documentWarningSchema)
    .default([])
    .describe('Text of the same document that no search finds.'),
});

/** Results and cost of a document search. */
export const documentSearchAnswerSchema = z.object({
  hits: z.array(hitSchema).describe('Best first: by meaning and by words, fused by rank.'),
  usage: z.object({
    retrieval: retrievalUsageSchema,
    embedding: z.object({
      calls: z.int().describe('Calls of the embedding model for the vector of the question.'),
      input_tokens: z.int().nullable().describe('Null if the model server does not report it.'),
      cost_usd: z
        .string()
        .nullable()
        .describe('Decimal number as text, in US dollars; null if the price is unknown.'),
    }),
  }),
  duration_ms: z.int().describe('Time that the worker took, in milliseconds.'),
});
export type DocumentSearchAnswer = z.infer<typeof documentSearchAnswerSchema>;

/**
 * Reasons for a failed search:
 * - `datasource_gone`: the datasource was deleted in between
 * - `other_model`: its vectors were made by another model than the search names
 * - `embedding_failed`: the question could not be embedded
 * - `too_slow`: the search timed out
 */
const FAULTS = ['datasource_gone', 'other_model', 'embedding_failed', 'too_slow'] as const;

/** Result that a worker returns to the API. */
export const documentSearchOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('found'), answer: documentSearchAnswerSchema }),
  z.object({
    kind: z.literal('refused'),
    fault: z.enum(FAULTS),
    /** For people: no exception text, no secret. */
    message: z.string(),
    /** Whether the same search may succeed later. */
    is_passing: z.boolean(),
    retry_after_ms: z.number().nullable(),
  }),
]);
export type DocumentSearchOutcome = z.infer<typeof documentSearchOutcomeSchema>;
