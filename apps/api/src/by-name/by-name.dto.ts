import { z } from 'zod';
import { MANAGED_KINDS } from '#libs/persistence';
import { AgentDto, AgentFieldsDto } from '../agents/agents.dto.js';
import { DatasourceDto, DatasourceFieldsDto } from '../datasources/datasources.dto.js';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { createZodDto } from '../http/zod-dto.js';
import { LlmDto, LlmFieldsDto } from '../llms/llms.dto.js';
import { ToolServerDto, ToolServerFieldsDto } from '../mcp-servers/mcp-servers.dto.js';
import { SkillDto, SkillFieldsDto } from '../skills/skills.dto.js';
import { WebhookEndpointDto, WebhookEndpointFieldsDto } from '../webhook-endpoints/webhook-endpoints.dto.js';

const MANAGER = 'must be 1 to 100 characters, without NUL';
const managerSchema = z
  .string()
  .trim()
  .min(1, MANAGER)
  .max(100, MANAGER)
  .regex(/^[^\u0000]*$/, MANAGER);

/** Fields beside those of a resource that is applied by its name. */
const how = {
  managed_by: managerSchema
    .optional()
    .describe(
      'Set of files that the resource belongs to from now on, 1 to 100 characters, such as the name of a repository; when omitted, ownership stays as it is. `/api/managed-resources/` lists what belongs to a set.',
    ),
  dry_run: z
    .boolean('must be true or false')
    .default(false)
    .describe('`true`: check the fields and answer what would happen, and change nothing.'),
};

/** A name in a path, which may hold what a body may not. */
const inPath = (name: z.ZodString) => name.regex(/^[^\u0000]*$/, 'must be text without NUL');

const outcome = {
  outcome: z
    .enum(['created', 'changed', 'unchanged'])
    .describe('`unchanged`: the resource already was so; it has no new version.'),
  changed_fields: z
    .array(z.string())
    .describe('Fields that differed from the resource; empty if it was created.'),
};
const WHOLE = 'The resource as it is now; with `dry_run` as it was, null if there is none.';

const example = <Resource>(resource: Resource) => ({
  outcome: 'unchanged' as const,
  changed_fields: [] as string[],
  resource,
});

export class NamedAgentFieldsDto extends createZodDto(
  AgentFieldsDto.schema.omit({ name: true }).extend(how),
  {
    usecase_type: 'BASIC_CHAT',
    llm: 1,
    system_prompt: 'You answer questions about parcels.',
    managed_by: 'shop',
  },
) {}
export class AppliedAgentDto extends createZodDto(
  z.object({ ...outcome, resource: AgentDto.schema.nullable().describe(WHOLE) }),
  example(AgentDto.example),
) {}
export class AgentNameParams extends createZodDto(
  z.object({ name: inPath(AgentFieldsDto.schema.shape.name) }),
) {}

export class NamedLlmFieldsDto extends createZodDto(LlmFieldsDto.schema.omit({ name: true }).extend(how), {
  model: LlmFieldsDto.example.model,
  managed_by: 'shop',
}) {}
export class AppliedLlmDto extends createZodDto(
  z.object({ ...outcome, resource: LlmDto.schema.nullable().describe(WHOLE) }),
  example(LlmDto.example),
) {}
export class LlmNameParams extends createZodDto(z.object({ name: inPath(LlmFieldsDto.schema.shape.name) })) {}

export class NamedSkillFieldsDto extends createZodDto(
  SkillFieldsDto.schema.omit({ name: true }).extend(how),
  { description: 'How to handle a late parcel.', content: 'Find the parcel first.', managed_by: 'shop' },
) {}
export class AppliedSkillDto extends createZodDto(
  z.object({ ...outcome, resource: SkillDto.schema.nullable().describe(WHOLE) }),
  example(SkillDto.example),
) {}
export class SkillNameParams extends createZodDto(z.object({ name: SkillFieldsDto.schema.shape.name })) {}

export class NamedToolServerFieldsDto extends createZodDto(
  ToolServerFieldsDto.schema.omit({ name: true }).extend(how),
  { type: 'http', config: { url: 'https://crm.example.com/mcp' }, managed_by: 'shop' },
) {}
export class AppliedToolServerDto extends createZodDto(
  z.object({ ...outcome, resource: ToolServerDto.schema.nullable().describe(WHOLE) }),
  example(ToolServerDto.example),
) {}
export class ToolServerNameParams extends createZodDto(
  z.object({ name: ToolServerFieldsDto.schema.shape.name }),
) {}

export class NamedDatasourceFieldsDto extends createZodDto(
  DatasourceFieldsDto.schema.omit({ name: true }).extend(how),
  { llm_id: 1, embed_model: 'text-embedding-3-small', dimensions: 1_024, managed_by: 'shop' },
) {}
export class AppliedDatasourceDto extends createZodDto(
  z.object({ ...outcome, resource: DatasourceDto.schema.nullable().describe(WHOLE) }),
  example(DatasourceDto.example),
) {}
export class DatasourceNameParams extends createZodDto(
  z.object({ name: inPath(DatasourceFieldsDto.schema.shape.name) }),
) {}

export class NamedWebhookEndpointFieldsDto extends createZodDto(
  WebhookEndpointFieldsDto.schema.omit({ name: true }).extend(how),
  {
    url: WebhookEndpointFieldsDto.example.url,
    secret: WebhookEndpointFieldsDto.example.secret,
    managed_by: 'shop',
  },
) {}
export class AppliedWebhookEndpointDto extends createZodDto(
  z.object({ ...outcome, resource: WebhookEndpointDto.schema.nullable().describe(WHOLE) }),
  example(WebhookEndpointDto.example),
) {}
export class WebhookEndpointNameParams extends createZodDto(
  z.object({ name: WebhookEndpointFieldsDto.schema.shape.name }),
) {}

const managedSchema = z.object({
  kind: z.enum(MANAGED_KINDS).describe('Kind of the resource, as its path calls it.'),
  id: z.string().describe('Id of the resource, as text.'),
  managed_by: z.string(),
  applied_at: z.iso.datetime().describe('Time at which it was first applied.'),
});
export class ManagedResourcePageDto extends createZodDto(
  pageSchema(managedSchema),
  pageExample<z.input<typeof managedSchema>>({
    kind: 'agents',
    id: '7',
    managed_by: 'shop',
    applied_at: '2026-11-22T09:00:00.000Z',
  }),
) {}

const KEY = /^(agents|datasources|llms|mcp-servers|skills|webhook-endpoints):([\w-]{1,40})$/;
const keySchema = z
  .string()
  .regex(KEY)
  .transform((text) => {
    const [kind = '', id = ''] = text.split(':');
    return { kind: kind as (typeof MANAGED_KINDS)[number], id };
  });
export class ManagedResourceQuery extends createZodDto(
  pageQuerySchema(keySchema).extend({
    managed_by: managerSchema.describe('Set of files that the resources belong to, 1 to 100 characters.'),
  }),
) {}
