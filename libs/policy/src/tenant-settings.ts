import { z } from 'zod';
import type { JsonObject } from '#libs/kernel';

const LARGEST = 2_147_483_647;

function limit(least: number, what: string) {
  const words = `must be a whole number from ${least} to ${LARGEST}, or null for no limit of its own`;
  return z.int(words).min(least, words).max(LARGEST, words).nullable().default(null).describe(what);
}

const TOOL_SERVER_OFFERS = ['named', 'all'] as const;
const ID_WORDS = `must be the id of a model configuration, or null for none`;
const DAYS_WORDS = 'must be a whole number from 1 to 36500, or null to keep them';

const fields = {
  workspace: {
    enabled: z.boolean().default(false).describe('Whether the prompt lists the files of its conversation.'),
  },
  limits: {
    queued_executions: limit(0, 'Maximum waiting executions; at most the limit of the service.'),
    input_characters: limit(1, 'Maximum characters of an input; at most the limit of the service.'),
    tokens_per_execution: limit(
      1,
      'Maximum tokens of an execution; a smaller budget of the execution takes precedence.',
    ),
  },
  retention: {
    days: z
      .int(DAYS_WORDS)
      .min(1, DAYS_WORDS)
      .max(36_500, DAYS_WORDS)
      .nullable()
      .default(null)
      .describe('Days without a turn after which a conversation and all its data are deleted.'),
  },
  tool_servers: z
    .enum(TOOL_SERVER_OFFERS, `must be one of ${TOOL_SERVER_OFFERS.join(', ')}`)
    .default('named')
    .describe(
      'Tool servers of an agent without `tools.servers`: `named` offers none, `all` offers every active one of the tenant (S4-8).',
    ),
  title_llm: z
    .int(ID_WORDS)
    .min(1, ID_WORDS)
    .max(LARGEST, ID_WORDS)
    .nullable()
    .default(null)
    .describe(
      'Id of the model configuration that writes titles of sessions; takes precedence over `TITLES` (S4-42).',
    ),
};

/** Settings that an operator makes for one tenant. Null keeps the service's own value. */
export const tenantSettingsSchema = z.strictObject({
  workspace: z.strictObject(fields.workspace).default({ enabled: false }),
  limits: z
    .strictObject(fields.limits)
    .default({ queued_executions: null, input_characters: null, tokens_per_execution: null }),
  retention: z.strictObject(fields.retention).default({ days: null }),
  tool_servers: fields.tool_servers,
  title_llm: fields.title_llm,
});
export type TenantSettings = z.infer<typeof tenantSettingsSchema>;

const storedSchema = z.object({
  workspace: z.object(fields.workspace).default({ enabled: false }),
  limits: z
    .object(fields.limits)
    .default({ queued_executions: null, input_characters: null, tokens_per_execution: null }),
  retention: z.object(fields.retention).default({ days: null }),
  tool_servers: fields.tool_servers,
  title_llm: fields.title_llm,
});

/** Reads stored settings, also those of a release with more or fewer keys. Throws a `ZodError` for other JSON. */
export function readTenantSettings(stored: unknown): TenantSettings {
  return storedSchema.parse(stored);
}

const ALL = ['*'];

/**
 * Adds the tool servers that a tenant offers to all agents to an agent's tools; the agent's own `servers` win (S4-8).
 * Pure.
 */
export function withServersOfTenant(
  tools: JsonObject,
  { tool_servers: offered }: Pick<TenantSettings, 'tool_servers'>,
): JsonObject {
  return offered === 'all' && tools['servers'] === undefined ? { ...tools, servers: ALL } : tools;
}
