import { budgetSchema } from '#libs/policy';
import { z } from 'zod';

const toolName = z
  .string('a name of 1 to 64 letters, digits, _ or -')
  .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'a name of 1 to 64 letters, digits, _ or -');
const description = z
  .string('a text that says what the agent is for')
  .min(1, 'a text that says what the agent is for')
  .max(2_000, 'at most 2000 characters');
const agentId = z.int('the id of an agent').min(1, 'the id of an agent');
/**
 * Whether calls of it may run beside others: `unsafe` ones run one after the other, in the order in which they were
 * asked for.
 */
const effect = z.enum(['read', 'idempotent', 'unsafe'], 'read, idempotent or unsafe').default('idempotent');

/** What one call of the agent may take; its own limits hold beside these. */
const limits = z
  .strictObject(
    {
      /** Of one attempt; waiting for a person does not count. */
      timeout_seconds: z.int('whole seconds from 1 to 540').min(1, 'at least 1').max(540, 'at most 540'),
      maximum_iterations: z.int('a whole number from 1 to 30').min(1, 'at least 1').max(30, 'at most 30'),
      budget: budgetSchema.omit({ rounds: true }),
    },
    'must be { "timeout_seconds", "maximum_iterations", "budget" }, each of them optional',
  )
  .partial();

const oneAgent = z.strictObject({
  agent: agentId,
  name: toolName,
  description,
  effect,
  limits: limits.default({}),
});
const choiceOfAgents = z.strictObject({
  name: toolName,
  description,
  effect,
  agents: z
    .array(
      z.strictObject({ agent: agentId, name: toolName, description, limits: limits.default({}) }),
      'a list of agents',
    )
    .min(1, 'at least one agent')
    .max(32, 'at most 32 agents'),
});

/** `tools.agents` of an agent: what it may call other agents by, one tool for each, or one with a choice of several. */
export const agentToolsSchema = z
  .array(z.union([oneAgent, choiceOfAgents]), 'a list of agents to call')
  .max(32, 'at most 32 tools')
  .default([]);

export type AgentLimits = z.infer<typeof limits>;
export type AgentTool = z.infer<typeof agentToolsSchema>[number];

/** One agent that may be called, and where in `tools.agents` it is named. */
export interface CallableAgent {
  readonly agentId: number;
  readonly path: readonly (string | number)[];
}

export function callableAgents(tools: readonly AgentTool[]): CallableAgent[] {
  return tools.flatMap((tool, index) =>
    'agents' in tool
      ? tool.agents.map(({ agent }, at) => ({ agentId: agent, path: [index, 'agents', at, 'agent'] }))
      : [{ agentId: tool.agent, path: [index, 'agent'] }],
  );
}
