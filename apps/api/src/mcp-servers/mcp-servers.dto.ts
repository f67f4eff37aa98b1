import { z } from 'zod';
import { jsonObjectSchema } from '#libs/payloads';
import { TOOL_SERVER_STATUSES } from '#libs/persistence';
import {
  TOOL_SERVER_TYPES,
  toolOverridesSchema,
  toolServerLimitsSchema,
  toolServerNameSchema,
} from '#libs/tooling';
import { rangeFields, sortSchema } from '../http/list-filters.js';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const type = z
  .enum(TOOL_SERVER_TYPES)
  .describe(
    'http, sse and stdio: MCP by streamable HTTP, by HTTP with SSE, through a process; openapi: an HTTP service by its description; builtin: the tools of this installation.',
  );
const status = z.enum(TOOL_SERVER_STATUSES).describe('Tools of an inactive server are offered to no agent.');

const fields = {
  name: toolServerNameSchema.describe(
    'Part of the names of its tools: `mcp__{name}__{tool}`. Unique within the tenant.',
  ),
  type,
  status,
  config: jsonObjectSchema.describe(
    'http, sse: `url`, `headers_template`, `auth`. stdio: `command` and `args`, which are one of the operator’s command lines, and `env_template`. openapi: `document` (a text, or `{ "files", "root" }`), `base_url`, `headers_template`, `query_template`, `security`, `auth`. builtin: nothing. `auth`: how OAuth access tokens are got. In the texts of templates `${name}` stands for a token of the execution. A text without one is sealed and shown as null, and so are secrets of `auth`; null keeps them.',
  ),
  tools: toolOverridesSchema.describe(
    'Per tool, by the server’s own name: effect of a call (`effect`), whether each call waits for approval (`approval`), whether it is hidden from agents (`is_hidden`).',
  ),
  limits: toolServerLimitsSchema.describe(
    'Time limit of a call in milliseconds, and maximum number of calls at once.',
  ),
};

const FIELDS_EXAMPLE = {
  name: 'crm',
  type: 'http' as const,
  config: {
    url: 'https://crm.example.com/mcp',
    headers_template: { Authorization: 'Bearer ${crm_token}' },
  },
  tools: { find_customer: { effect: 'read' as const } },
};

/** A complete server; omitted fields take their defaults. */
export class ToolServerFieldsDto extends createZodDto(
  z.strictObject({
    ...fields,
    status: fields.status.default('active'),
    config: fields.config.default({}),
    tools: fields.tools.default({}),
    limits: fields.limits.default(toolServerLimitsSchema.parse({})),
  }),
  FIELDS_EXAMPLE,
) {}
/** Fields of a server to change; the configuration is replaced whole, and required with a change of type. */
export class ToolServerPatchDto extends createZodDto(z.strictObject(fields).partial(), {
  status: 'inactive',
}) {}

const serverSchema = z.object({
  id: z.uuid(),
  ...fields,
  name: z.string(),
  tools: z.record(z.string(), jsonObjectSchema),
  limits: z.object({ timeout_ms: z.int(), concurrency: z.int() }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof serverSchema> = {
  id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e02',
  ...FIELDS_EXAMPLE,
  status: 'active',
  limits: { timeout_ms: 30_000, concurrency: 8 },
  created_at: '2026-11-22T09:00:00.000Z',
  updated_at: '2026-11-22T09:00:00.000Z',
};
export class ToolServerDto extends createZodDto(serverSchema, EXAMPLE) {}
/** Lists omit the configuration's `document`, which is read for one server at a time. */
export class ToolServerPageDto extends createZodDto(pageSchema(serverSchema), pageExample(EXAMPLE)) {}

export class ToolServerIdParams extends createZodDto(
  z.object({ id: uuidSchema.describe('The id of the tool server.') }),
) {}
export class ToolServerListQuery extends createZodDto(
  pageQuerySchema(z.uuid()).extend({
    status: status.optional().describe('Only servers with this status.'),
    type: type.optional().describe('Only servers of this type.'),
    ...rangeFields,
    sort: sortSchema,
  }),
) {}
