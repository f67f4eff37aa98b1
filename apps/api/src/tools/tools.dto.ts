import { z } from 'zod';
import { jsonObjectSchema, listedToolSchema, toolServerProbeSchema, toolTrialSchema } from '#libs/payloads';
import { TOOL_SERVER_TYPES } from '#libs/tooling';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { createZodDto } from '../http/zod-dto.js';

const toolSchema = z.object({
  ...listedToolSchema.shape,
  name: z.string().describe('Name for `tools.builtin` or `tools.servers` of an agent.'),
  tool: z.string().nullable().describe('The server’s own name of it; null for one that is built in.'),
  source: z.enum(['builtin', 'server']),
  server: z
    .object({ id: z.uuid(), name: z.string(), type: z.enum(TOOL_SERVER_TYPES) })
    .nullable()
    .describe('Null for a tool that is built in.'),
  listed_at: z.iso.datetime().nullable().describe('When a probe saw it; null for a tool that is built in.'),
  is_stale: z.boolean().describe('Whether the server was changed since it was probed.'),
});
export type OfferedTool = z.infer<typeof toolSchema>;

const LISTED = {
  name: 'mcp__crm__find_customer',
  tool: 'find_customer',
  description: 'Finds a customer by name.',
  effect: 'read' as const,
  approval: false,
  input_schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};
const EXAMPLE: z.input<typeof toolSchema> = {
  ...LISTED,
  source: 'server',
  server: { id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e02', name: 'crm', type: 'http' },
  listed_at: '2026-11-22T09:00:00.000Z',
  is_stale: false,
};
export class ToolPageDto extends createZodDto(pageSchema(toolSchema), pageExample(EXAMPLE)) {}
export class ToolListQuery extends createZodDto(
  pageQuerySchema(z.string().min(1).max(64)).extend({
    source: z.enum(['builtin', 'server']).optional().describe('Only tools of this source.'),
  }),
) {}

const tokens = z
  .record(
    z.string().regex(/^[A-Za-z0-9_]{1,64}$/, 'must be 1 to 64 letters, digits or _'),
    z.string().min(1).max(8_192),
  )
  .default({})
  .describe('Values for the placeholders of the server, by name; kept sealed until a worker uses them.');

const user_id = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('The user whose connection is used, for servers that users connect to.');

/** Tokens and user for a probe. */
export class ProbeRequestDto extends createZodDto(z.strictObject({ tokens, user_id }), {
  tokens: { crm_token: 'secret' },
}) {}
export class ToolServerProbeDto extends createZodDto(toolServerProbeSchema, {
  ...{ ok: true, fault: null, message: null, latency_ms: 84, warnings: [] },
  tools: [LISTED],
}) {}

export class ToolNameParams extends createZodDto(
  z.object({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .describe('The name of the tool, `mcp__{server}__{tool}`.'),
  }),
) {}
export class TryRequestDto extends createZodDto(
  z.strictObject({
    input: jsonObjectSchema.default({}).describe('The arguments of the call.'),
    tokens,
    user_id,
  }),
  { input: { name: 'Mara' }, tokens: {} },
) {}
export class ToolTrialDto extends createZodDto(toolTrialSchema, {
  ...{ outcome: 'succeeded', output: '{"id":7,"name":"Mara"}', duration_ms: 120, warnings: [] },
}) {}
