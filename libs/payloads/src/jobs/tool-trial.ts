import { z } from 'zod';
import { jsonObjectSchema } from '../json-schemas.js';

const EFFECTS = ['read', 'idempotent', 'unsafe'] as const;

const FAULTS = [
  'unreachable',
  'refused_address',
  'unauthorized',
  'refused',
  'protocol',
  'document',
  'unsupported',
  'overloaded',
  'connection_needed',
] as const;

export const listedToolSchema = z.object({
  name: z.string().describe('Name for agents and models: `mcp__{server}__{tool}`.'),
  tool: z.string().describe('The server’s own name of the tool, as used in `tools` of the server.'),
  description: z.string(),
  effect: z.enum(EFFECTS),
  approval: z.boolean().describe('Whether every call waits for a person.'),
  input_schema: jsonObjectSchema,
});

/** Result of probing a tool server; sent from worker to API and on to the client. */
export const toolServerProbeSchema = z.object({
  ok: z.boolean(),
  fault: z.enum(FAULTS).nullable().describe('Reason why the server is not usable; null if it is.'),
  message: z.string().nullable().describe('The failure in words, without secrets; null if ok.'),
  latency_ms: z.int().describe('Time to connect and list the tools, in milliseconds.'),
  tools: z.array(listedToolSchema).describe('Tools that agents can use, without hidden ones.'),
  warnings: z.array(z.string()),
});
export type ToolServerProbe = z.infer<typeof toolServerProbeSchema>;

const OUTCOMES = ['succeeded', 'failed', 'refused', 'outcome_unknown'] as const;

/** Result of a tool trial. */
export const toolTrialSchema = z.object({
  outcome: z
    .enum(OUTCOMES)
    .describe(
      '`refused`: not called, because the server is not usable, the tool is unknown, or the input is invalid; `outcome_unknown`: the call may have taken effect.',
    ),
  output: z.string().describe('The text that a model would read.'),
  duration_ms: z.int(),
  warnings: z.array(z.string()),
});
export type ToolTrialAnswer = z.infer<typeof toolTrialSchema>;
