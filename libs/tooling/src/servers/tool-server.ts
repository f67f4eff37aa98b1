import { z } from 'zod';
import {
  builtinServerConfigSchema,
  openApiServerConfigSchema,
  remoteServerConfigSchema,
  stdioServerConfigSchema,
} from './tool-server-config.schema.js';

/**
 * Protocol of a tool server. `http`, `sse` and `stdio`: MCP over streamable HTTP, over HTTP with SSE, or over a
 * process's standard streams. `openapi`: an HTTP service with an API description. `builtin`: the tools of this
 * installation.
 */
export const TOOL_SERVER_TYPES = ['http', 'sse', 'stdio', 'openapi', 'builtin'] as const;
export type ToolServerType = (typeof TOOL_SERVER_TYPES)[number];

/**
 * Part of the server's tool names, therefore without the separator `__`. The pattern has no lookahead, because many
 * generators of clients and test data do not support it.
 */
export const toolServerNameSchema = z
  .string('must be a text')
  .max(32, 'must have at most 32 characters')
  .regex(
    /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
    'must be lower case letters, digits and single _, beginning with a letter and not ending with _',
  );

/** A tenant's override for one tool of a server. */
export const toolOverrideSchema = z.strictObject({
  /** Effect of repeating a call; without an override, MCP tools are `unsafe`. */
  effect: z.enum(['read', 'idempotent', 'unsafe'], 'must be read, idempotent or unsafe').optional(),
  /** True if every call waits for a person's approval. */
  approval: z.boolean('must be true or false').optional(),
  /** True if no agent may use the tool. */
  is_hidden: z.boolean('must be true or false').optional(),
});

const MAX_OVERRIDES = 2_000;

/** Keyed by the server's own tool names, not by `mcp__{server}__{tool}`. */
export const toolOverridesSchema = z
  .record(
    z.string().min(1, 'must not be empty').max(256, 'must have at most 256 characters'),
    toolOverrideSchema,
    'must be an object: tool name to { "effect", "approval", "is_hidden" }',
  )
  .refine((map) => Object.keys(map).length <= MAX_OVERRIDES, `must have at most ${MAX_OVERRIDES} entries`);

/** Limits of one server. */
export const toolServerLimitsSchema = z.strictObject({
  /** Milliseconds for each call, for connecting and for listing. */
  timeout_ms: z
    .int('must be a whole number')
    .min(100, 'must be at least 100')
    .max(300_000, 'must be at most 300000')
    .default(30_000),
  /** Maximum concurrent calls to this server per worker; further calls wait. */
  concurrency: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(64, 'must be at most 64')
    .default(8),
});

/** Type and configuration of a server, as in the API and in the database. */
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
 * A tool server of a tenant, as a run sees it. `config`, `tools` and `limits` keep the snake case of the API, because
 * they are stored and shown unchanged; drivers narrow by `type`.
 */
export type ToolServer = ToolServerConnection & {
  /** UUID. */
  readonly id: string;
  readonly tenantId: string;
  /** Unique per tenant. */
  readonly name: string;
  /** Increases with every change; connections and data of another version must not be reused. */
  readonly version: number;
  /** Keyed by the server's own tool names. */
  readonly tools: Readonly<Record<string, ToolOverride>>;
  readonly limits: ToolServerLimits;
};

/** The servers of one type, e.g. `ToolServerOf<'http' | 'sse' | 'stdio'>`. */
export type ToolServerOf<Type extends ToolServerType> = Extract<ToolServer, { readonly type: Type }>;
