import { z } from 'zod';
import { jsonObjectSchema, optionsSchema } from '#libs/payloads';
import { cursorSchema, pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { flagSchema, idInBodySchema, idSchema, limitSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const fields = {
  name: z.string().trim().min(1).max(100).describe('Display name.'),
  usecase_type: z
    .string()
    .min(1)
    .describe(
      'Type of the agent: `BASIC_CHAT`; `RAG_CHAT`, which answers from documents; or `CUSTOM`, which runs the steps of a pipeline.',
    ),
  llm: idInBodySchema.describe('The id of the model configuration.'),
  system_prompt: z
    .string()
    .max(100_000)
    .nullable()
    .describe('System prompt, sent before every conversation.'),
  config: optionsSchema.describe(
    'Model parameters, which take precedence over those of the model configuration. `RAG_CHAT`: also the retrieval; `datasource_ids` is required. `CUSTOM`: also the pipeline; `steps` is required.',
  ),
  tools: jsonObjectSchema.describe(
    'Tools that the agent may use. `builtin`: names; `servers`: names or patterns such as `*`, `mcp__crm__*`, `mcp__crm__find`; `agents`: ids of agents that it may call; `search_knowledge`: ids of datasources that it may search.',
  ),
  is_active: z.boolean().describe('An inactive agent is not listed and runs nothing.'),
};

/** A complete agent for POST and PUT; omitted fields take their defaults (S3-18). */
const agentFieldsSchema = z.strictObject({
  name: fields.name,
  usecase_type: fields.usecase_type,
  llm: fields.llm,
  system_prompt: fields.system_prompt.default(null),
  config: fields.config.default({}),
  tools: fields.tools.default({}),
  is_active: fields.is_active.default(true),
});

const FIELDS_EXAMPLE: z.input<typeof agentFieldsSchema> = {
  name: 'Parcel desk',
  usecase_type: 'BASIC_CHAT',
  llm: 1,
  system_prompt: 'You answer questions about parcels.',
  config: { temperature: 0.2 },
  tools: { builtin: ['find_parcel'] },
};

export class AgentFieldsDto extends createZodDto(agentFieldsSchema, FIELDS_EXAMPLE) {}
/** Fields of an agent to change, for PATCH. */
export class AgentPatchDto extends createZodDto(z.strictObject(fields).partial(), {
  name: 'Parcel help desk',
}) {}

/** An agent as the API shows it, with exactly these fields (S3-22). */
export const agentSchema = z.object({ id: z.int(), ...fields });
const EXAMPLE: z.input<typeof agentSchema> = {
  id: 7,
  name: 'Parcel desk',
  usecase_type: 'BASIC_CHAT',
  llm: 1,
  system_prompt: 'You answer questions about parcels.',
  config: { temperature: 0.2 },
  tools: { builtin: ['find_parcel'] },
  is_active: true,
};
export class AgentDto extends createZodDto(agentSchema, EXAMPLE) {}

const warningSchema = z.object({
  pointer: z.string().describe('JSON pointer to the key in the request.'),
  detail: z.string(),
});
export type AgentWarning = z.infer<typeof warningSchema>;
/** The changed agent, as the answer to a write. */
export class WrittenAgentDto extends createZodDto(
  agentSchema.extend({
    warnings: z
      .array(warningSchema)
      .optional()
      .describe('Unknown keys of `config` that look like misspelt ones. Absent when there are none.'),
  }),
  EXAMPLE,
) {}
export class AgentPageDto extends createZodDto(pageSchema(agentSchema), pageExample(EXAMPLE)) {}

const agentIdSchema = idSchema.describe('The id of the agent.');
export class AgentIdParams extends createZodDto(z.object({ id: agentIdSchema })) {}

/** Without `limit` and `cursor` the answer is the plain array of S3. */
export class AgentListQuery extends createZodDto(
  z.strictObject({
    limit: limitSchema.optional().describe('Maximum number of items in a page.'),
    cursor: cursorSchema(idSchema).optional().describe('`next_cursor` of the previous page.'),
    include_inactive: flagSchema.default(false).describe('`true`: also list inactive agents.'),
  }),
) {}

/** An agent as of one version. */
const agentVersionSchema = agentSchema.extend({
  version: z.int().describe('Number of the version, from 1; each change adds one. Part of the `ETag`.'),
  created_at: z.iso.datetime().describe('Creation time of the version.'),
});
const VERSION_EXAMPLE = { ...EXAMPLE, version: 3, created_at: '2026-11-22T09:00:00.000Z' };
export class AgentVersionDto extends createZodDto(agentVersionSchema, VERSION_EXAMPLE) {}
export class AgentVersionPageDto extends createZodDto(
  pageSchema(agentVersionSchema),
  pageExample(VERSION_EXAMPLE),
) {}

export class AgentVersionParams extends createZodDto(
  z.object({ id: agentIdSchema, version: idSchema.describe('Number of the version, from 1.') }),
) {}
export class AgentVersionListQuery extends createZodDto(pageQuerySchema(idSchema)) {}

/** The fields of an agent that decide over its prompt; omitted ones take their defaults. */
export class PromptPreviewFieldsDto extends createZodDto(
  z.strictObject({
    llm: fields.llm
      .nullable()
      .default(null)
      .describe('The id of the model configuration, whose `extra` holds below `config`; null: none.'),
    system_prompt: fields.system_prompt.default(null),
    config: fields.config
      .default({})
      .describe('Parameters of the agent; `strategy` and `prompt_policy_overrides` decide over the prompt.'),
  }),
  { system_prompt: 'You answer questions about parcels.', config: { maximum_iterations: 5 } },
) {}

const PROMPT_LAYERS = [
  'preferred_skills',
  'tenant',
  'agent',
  'workspace',
  'skills',
  'tool_servers',
  'memory',
  'summary',
] as const;

/** A composed prompt. */
export class PromptPreviewDto extends createZodDto(
  z.object({
    text: z.string().nullable().describe('The layers with a blank line between them; null without layers.'),
    layers: z
      .array(
        z.object({
          name: z.enum(PROMPT_LAYERS).describe('Origin of the layer.'),
          text: z.string(),
        }),
      )
      .readonly()
      .describe('The layers in the order in which they are sent.'),
  }),
  {
    text: 'You answer questions about parcels.',
    layers: [{ name: 'agent', text: 'You answer questions about parcels.' }],
  },
) {}
