import { z } from 'zod';
import {
  builtinServerConfigSchema,
  openApiServerConfigSchema,
  remoteServerConfigSchema,
  stdioServerConfigSchema,
} from './tool-server-config.schema.js';

/**
 * How a tool server is spoken to. `http`, `sse`, `stdio`: MCP, by streamable HTTP, by HTTP with SSE, or through a
 * process. `openapi`: an HTTP service, by its description. `builtin`: the tools of this installation.
 */
export const TOOL_SERVER_TYPES = ['http', 'sse', 'stdio', 'openapi', 'builtin'] as const;
export type ToolServerType = (typeof TOOL_SERVER_TYPES)[number];

/**
 * Part of every name of its tools; without `__`, which is what separates the parts. The pattern has no
 * lookahead: many generators of clients and of test data have none.
 */
export const toolServerNameSchema = z
  .string('must be a text')
  .max(32, 'must have at most 32 characters')
  .regex(
    /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
    'must be lower case letters, digits and single _, beginning with a letter and not ending with _',
  );

/** What a tenant says of one tool of a server. */
export const toolOverrideSchema = z.strictObject({
  /** What repeating a call does; where nobody says, an MCP tool is `unsafe`. */
  effect: z.enum(['read', 'idempotent', 'unsafe'], 'must be read, idempotent or unsafe').optional(),
  /** Whether every call waits for a person's decision. */
  approval: z.boolean('must be true or false').optional(),
  /** Whether it is offered to no agent. */
  is_hidden: z.boolean('must be true or false').optional(),
});

const MOST_OVERRIDES = 2_000;

/** By the name that the server itself gives the tool: not `mcp__{server}__{tool}`. */
export const toolOverridesSchema = z
  .record(
    z.string().min(1, 'must not be empty').max(256, 'must have at most 256 characters'),
    toolOverrideSchema,
    'must be an object: tool name to { "effect", "approval", "is_hidden" }',
  )
  .refine((map) => Object.keys(map).length <= MOST_OVERRIDES, `must have at most ${MOST_OVERRIDES} entries`);

/** What one server may take of the service. */
export const toolServerLimitsSchema = z.strictObject({
  /** Milliseconds of one call, of connecting and of listing. */
  timeout_ms: z
    .int('must be a whole number')
    .min(100, 'must be at least 100')
    .max(300_000, 'must be at most 300000')
    .default(30_000),
  /** Calls of this server that one worker has under way at once; more wait. */
  concurrency: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(64, 'must be at most 64')
    .default(8),
});

/** Type and configuration of a server, as the API takes them and the database keeps them. */
export const toolServerConnectionSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('http'), config: remoteServerConfigSchema }),
  z.strictObject({ type: z.literal('sse'), config: remoteServerConfigSchema }),
  z.strictObject({ type: z.literal('stdio'), config: stdioServerConfigSchema }),
  z.strictObject({ type: z.literal('openapi'), config: openApiServerConfigSchema }),
  z.strictObject({ type: z.literal('builtin'), config: builtinServerConfigSchema }),
]);

export type ToolOverride = z.infer<typeof toolOverrideSchema>;
export type ToolServerLimits = z.infer<typeof toolServerLimitsSchema>;
export type ToolServerConnection = z.infer<typeof toolServerConnectionSchema>;

/**
 * A tool server of a tenant, as a run sees it. `config`, `tools` and `limits` are written as on the wire (snake case),
 * since they are stored and shown as they are; a `ToolServerDriver` narrows by `type`.
 */
export type ToolServer = ToolServerConnection & {
  /** UUID. */
  readonly id: string;
  readonly tenantId: string;
  /** Unique among the servers of the tenant. */
  readonly name: string;
  /** Goes up with every change: what was opened or read of another version must not be used again. */
  readonly version: number;
  /** By the server's own names of its tools. */
  readonly tools: Readonly<Record<string, ToolOverride>>;
  readonly limits: ToolServerLimits;
};

/** The servers of one type, e.g. `ToolServerOf<'http' | 'sse' | 'stdio'>`. */
export type ToolServerOf<Type extends ToolServerType> = Extract<ToolServer, { readonly type: Type }>;
