import { z } from 'zod';
import { jsonObjectSchema, optionsSchema } from '#libs/payloads';
import { cursorSchema, pageQuerySchema, pageSchema } from '../http/page.js';
import { flagSchema, idInBodySchema, idSchema, limitSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const fields = {
  name: z.string().trim().min(1).max(100).describe('Shown to people.'),
  usecase_type: z.string().min(1).describe('What the agent does; `BASIC_CHAT` is implemented.'),
  llm: idInBodySchema.describe('The id of the model configuration.'),
  system_prompt: z.string().max(100_000).nullable().describe('Stands before every conversation.'),
  config: optionsSchema.describe('Model parameters; they win over the model configuration’s.'),
  tools: jsonObjectSchema.describe('The tools that the agent may use.'),
  is_active: z.boolean().describe('An inactive agent is not listed and runs nothing.'),
};

/** A whole agent, as POST and PUT take it: what is left out has its default (S3-18). */
const agentFieldsSchema = z.strictObject({
  name: fields.name,
  usecase_type: fields.usecase_type,
  llm: fields.llm,
  system_prompt: fields.system_prompt.default(null),
  config: fields.config.default({}),
  tools: fields.tools.default({}),
  is_active: fields.is_active.default(true),
});

export class AgentFieldsDto extends createZodDto(agentFieldsSchema) {}
/** Some fields of an agent, as PATCH takes them. */
export class AgentPatchDto extends createZodDto(z.strictObject(fields).partial()) {}

/** An agent as it is shown: exactly these fields (S3-22). */
export const agentSchema = z.object({ id: z.int(), ...fields });
export class AgentDto extends createZodDto(agentSchema) {}

const warningSchema = z.object({
  pointer: z.string().describe('Where in the request.'),
  detail: z.string(),
});
export type AgentWarning = z.infer<typeof warningSchema>;
/** An agent as a change of it is answered. */
export class WrittenAgentDto extends createZodDto(
  agentSchema.extend({
    warnings: z
      .array(warningSchema)
      .optional()
      .describe(
        'Keys of `config` that mean nothing here, and look as if they should. Left out when there are none.',
      ),
  }),
) {}
export class AgentPageDto extends createZodDto(pageSchema(agentSchema)) {}

export class AgentIdParams extends createZodDto(z.object({ id: idSchema })) {}

/** Without `limit` and `cursor` the answer is the plain array of S3. */
export class AgentListQuery extends createZodDto(
  z.strictObject({
    limit: limitSchema.optional(),
    cursor: cursorSchema(idSchema).optional(),
    include_inactive: flagSchema.default(false),
  }),
) {}

/** An agent as one change left it. */
const agentVersionSchema = agentSchema.extend({
  version: z.int().describe('1 when the agent was made, one more with every change; what its `ETag` holds.'),
  created_at: z.iso.datetime().describe('When the agent became this.'),
});
export class AgentVersionDto extends createZodDto(agentVersionSchema) {}
export class AgentVersionPageDto extends createZodDto(pageSchema(agentVersionSchema)) {}

export class AgentVersionParams extends createZodDto(z.object({ id: idSchema, version: idSchema })) {}
export class AgentVersionListQuery extends createZodDto(pageQuerySchema(idSchema)) {}
