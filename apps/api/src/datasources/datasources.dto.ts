import { z } from 'zod';
import { documentSearchAnswerSchema, documentSearchSchema } from '#libs/payloads';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { idInBodySchema, idSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const fields = {
  name: z.string().trim().min(1).max(100).describe('Unique within the tenant.'),
  description: z.string().trim().max(1_000).describe('Subject of the documents.'),
  llm_id: idInBodySchema.describe('Id of the model configuration whose server and key are used for vectors.'),
  embed_model: z.string().trim().min(1).max(200).describe('The model that makes the vectors.'),
  dimensions: z.int().min(1).max(4_000).describe('Length of a vector, 1 to 4000.'),
  chunk_tokens: z.int().min(50).max(4_000).describe('Maximum length of a chunk in tokens, 50 to 4000.'),
  overlap_tokens: z
    .int()
    .min(0)
    .max(1_000)
    .describe('Tokens at the end of a chunk that are repeated in the next one.'),
};

const FIELDS_EXAMPLE = {
  name: 'handbook',
  llm_id: 1,
  embed_model: 'text-embedding-3-small',
  dimensions: 1_024,
};

/** A complete datasource; omitted fields take their defaults. */
export class DatasourceFieldsDto extends createZodDto(
  z.strictObject({
    ...fields,
    description: fields.description.default(''),
    chunk_tokens: fields.chunk_tokens.default(400),
    overlap_tokens: fields.overlap_tokens.default(40),
  }),
  FIELDS_EXAMPLE,
) {}
/** Fields of a datasource to change. */
export class DatasourcePatchDto extends createZodDto(z.strictObject(fields).partial(), {
  description: 'How we work.',
}) {}

const datasourceSchema = z.object({
  id: z.int(),
  ...fields,
  llm_id: z.int(),
  document_count: z.int().describe('Number of documents, in any state.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof datasourceSchema> = {
  id: 3,
  ...FIELDS_EXAMPLE,
  description: 'How we work.',
  chunk_tokens: 400,
  overlap_tokens: 40,
  document_count: 12,
  created_at: '2026-11-22T09:00:00.000Z',
  updated_at: '2026-11-22T09:00:00.000Z',
};
export class DatasourceDto extends createZodDto(datasourceSchema, EXAMPLE) {}
export class DatasourcePageDto extends createZodDto(pageSchema(datasourceSchema), pageExample(EXAMPLE)) {}

export class DatasourceIdParams extends createZodDto(
  z.object({ id: idSchema.describe('The id of the datasource.') }),
) {}
export class DatasourceListQuery extends createZodDto(pageQuerySchema(idSchema)) {}

/** A question to search documents with. */
export class DatasourceSearchDto extends createZodDto(documentSearchSchema, {
  question: 'When do parcels go out?',
  top_k: 3,
}) {}
const ANSWER_EXAMPLE: z.input<typeof documentSearchAnswerSchema> = {
  hits: [
    {
      datasource_id: 3,
      document_id: '01999999-9999-7999-8999-999999999999',
      chunk_id: 41,
      title: 'Handbook',
      headings: ['Parcels'],
      page: 7,
      text: 'Parcels go out at noon.',
      score: 0.8123,
      warnings: [],
      rank: 1,
    },
  ],
  usage: {
    retrieval: { datasources: 1, total_candidates: 50, used_chunks: 1, top_k_requested: 3 },
    embedding: { calls: 1, input_tokens: 6, cost_usd: '0.00000012' },
  },
  duration_ms: 84,
};
export class DatasourceSearchAnswerDto extends createZodDto(documentSearchAnswerSchema, ANSWER_EXAMPLE) {}
