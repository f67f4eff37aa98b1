import type { JsonObject } from '#libs/kernel';
import { agentToolsSchema, callableAgents, type AgentTool, type CallableAgent } from '#libs/tool-sources';
import type { FieldError } from '../http/invalid-request.error.js';
import { pointerTo } from '../http/pointer.js';

const HERE = ['tools', 'agents'] as const;

/** `tools.agents` of an agent, or what is wrong with how it is written. */
export type AgentToolsReading =
  | { readonly kind: 'read'; readonly tools: readonly AgentTool[] }
  | { readonly kind: 'faults'; readonly faults: readonly FieldError[] };

export function readAgentTools({ agents }: JsonObject): AgentToolsReading {
  const read = agentToolsSchema.safeParse(agents);
  if (read.success) return { kind: 'read', tools: read.data };
  const faults = read.error.issues.map(({ path, message }) => ({
    pointer: pointerTo([...HERE, ...path.map(String)]),
    detail: message === 'Invalid input' ? SHAPE : message,
  }));
  return { kind: 'faults', faults };
}

const SHAPE =
  'must be { "agent", "name", "description", "effect", "limits" }, or { "name", "description", "effect", "agents": [{ "agent", "name", "description", "limits" }] }';

/**
 * What is wrong with whom the agent would call.
 *
 * @param selfId the agent that is written; null where it is new
 * @param active those of the tenant's agents that may be called
 * @param builtin names of tools that the agent has besides
 */
export function findAgentToolFaults(
  tools: readonly AgentTool[],
  selfId: number | null,
  active: ReadonlySet<number>,
  builtin: readonly string[],
): FieldError[] {
  const names = tools.map(({ name }) => name);
  return [
    ...callableAgents(tools).flatMap((called) => faultOf(called, selfId, active)),
    ...names.flatMap((name, index) =>
      names.indexOf(name) === index && !builtin.includes(name)
        ? []
        : [{ pointer: pointerTo([...HERE, index, 'name']), detail: 'must not be the name of another tool' }],
    ),
  ];
}

function faultOf(
  { agentId, path }: CallableAgent,
  selfId: number | null,
  active: ReadonlySet<number>,
): FieldError[] {
  const pointer = pointerTo([...HERE, ...path]);
  if (agentId === selfId) return [{ pointer, detail: 'must be another agent: none may call itself' }];
  return active.has(agentId) ? [] : [{ pointer, detail: 'must be the id of an active agent' }];
}
