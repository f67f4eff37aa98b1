import { z } from 'zod';
import { MAX_MEMORY_CHARACTERS, memoryKey, MEMORY_ORIGINS, toMemoryText } from '#libs/executions';
import { executorIdSchema } from '../http/list-filters.js';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { idSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const executorId = executorIdSchema.describe(
  'Executor that the memories are about: `executor.user_id` of the requests.',
);

const text = z
  .string()
  .max(MAX_MEMORY_CHARACTERS)
  .overwrite(toMemoryText)
  .refine((fact) => memoryKey(fact) !== '', 'must have a letter or a digit')
  .describe('One sentence; agents read it in their prompt.');

const memorySchema = z.object({
  id: z.int(),
  executor_id: executorId,
  agent_id: z
    .int()
    .nullable()
    .describe('Agent whose execution it was extracted from; null if a person wrote it.'),
  text: z.string(),
  origin: z
    .enum(MEMORY_ORIGINS)
    .describe('`person`: written over HTTP; `extraction`: extracted from messages of the user.'),
  is_edited: z
    .boolean()
    .describe('True if a person changed an extracted memory; from then on only people can change it.'),
  is_foreign: z
    .boolean()
    .describe(
      'True if it was extracted from a turn whose model had read foreign content, or beside such a memory: reading it counts as reading foreign content. False after a person changed it.',
    ),
  execution_id: z.uuid().nullable().describe('Execution that it was extracted from; it may be deleted.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof memorySchema> = {
  ...{ id: 12, executor_id: 'u-17', agent_id: 1, text: 'Prefers deliveries before nine.' },
  ...{ origin: 'extraction', is_edited: false, is_foreign: false },
  execution_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e03',
  ...{ created_at: '2026-11-22T09:00:00.000Z', updated_at: '2026-11-22T09:00:00.000Z' },
};

export class MemoryDto extends createZodDto(memorySchema, EXAMPLE) {}
export class MemoryPageDto extends createZodDto(pageSchema(memorySchema), pageExample(EXAMPLE)) {}

export class NewMemoryDto extends createZodDto(z.strictObject({ executor_id: executorId, text }), {
  executor_id: 'u-17',
  text: 'Prefers deliveries before nine.',
}) {}
export class MemoryPatchDto extends createZodDto(z.strictObject({ text }), {
  text: 'Prefers deliveries before eight.',
}) {}

export class MemoryIdParams extends createZodDto(
  z.object({ id: idSchema.describe('The id of the memory.') }),
) {}
export class MemoryListQuery extends createZodDto(
  pageQuerySchema(idSchema).extend({
    executor_id: executorId.optional().describe('Only memories of this executor.'),
    agent_id: idSchema.optional().describe('Only memories extracted from executions of this agent.'),
  }),
) {}
export class ForgetQuery extends createZodDto(z.strictObject({ executor_id: executorId })) {}
