import { scopeLimitsSchema } from '#libs/policy';
import { z } from 'zod';

const toolName = z
  .string('a name of 1 to 64 letters, digits, _ or -')
  .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'a name of 1 to 64 letters, digits, _ or -');
const description = z
  .string('a text that says what the agent is for')
  .min(1, 'a text that says what the agent is for')
  .max(2_000, 'at most 2000 characters');
const agentId = z.int('the id of an agent').min(1, 'the id of an agent');
/** Effect of calls: `unsafe` calls run one after the other in the requested order, others may run in parallel. */
const effect = z.enum(['read', 'idempotent', 'unsafe'], 'read, idempotent or unsafe').default('idempotent');

const oneAgent = z.strictObject({
  agent: agentId,
  name: toolName,
  description,
  effect,
  limits: scopeLimitsSchema.default({}),
});
const choiceOfAgents = z.strictObject({
  name: toolName,
  description,
  effect,
  agents: z
    .array(
      z.strictObject({ agent: agentId, name: toolName, description, limits: scopeLimitsSchema.default({}) }),
      'a list of agents',
    )
    .min(1, 'at least one agent')
    .max(32, 'at most 32 agents'),
});

/** An agent's `tools.agents`: tools that call other agents, each for one agent or a choice of several. */
export const agentToolsSchema = z
  .array(z.union([oneAgent, choiceOfAgents]), 'a list of agents to call')
  .max(32, 'at most 32 tools')
  .default([]);

export type AgentTool = z.infer<typeof agentToolsSchema>[number];

/** A callable agent, with its path in `tools.agents`. */
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
