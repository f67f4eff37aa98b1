import type { JsonObject, JsonValue } from '#libs/kernel';
import { agentToolsSchema, callableAgents, type AgentTool, type CallableAgent } from '#libs/tool-sources';
import type { ToolCatalogue } from '#libs/tooling';
import { pointerTo, type FieldError } from '../http/request-errors.js';

/** Finds unknown names in `tools.builtin` of an agent. */
export function findToolFaults(tools: JsonObject, catalogue: ToolCatalogue): FieldError[] {
  const { builtin } = tools;
  if (builtin === undefined) return [];
  if (!isList(builtin)) return [{ pointer: '#/tools/builtin', detail: 'must be a list of tool names' }];
  return findUnknown(builtin, ['tools', 'builtin'], catalogue);
}

/** Finds unknown names among the tools that require approval; `field` is the part of the body that holds the options. */
export function findApprovalFaults(
  options: JsonObject,
  field: 'config' | 'options' | 'extra',
  catalogue: ToolCatalogue,
  agents: readonly string[] = [],
): FieldError[] {
  const names = options['require_approval'];
  if (!isList(names)) return [];
  // The tools of a server are known only at run time; a run fails if a named one is missing.
  const ofServers = names.filter(
    (name): name is string => typeof name === 'string' && SERVER_TOOL.test(name),
  );
  return findUnknown(names, [field, 'require_approval'], catalogue, [...agents, ...ofServers]);
}

/** Name of a tool that a tool server of the tenant offers. */
export const SERVER_TOOL = /^mcp__[a-z][a-z0-9_]{0,31}__[A-Za-z0-9_-]{1,57}$/;

function findUnknown(
  names: readonly JsonValue[],
  path: readonly string[],
  catalogue: ToolCatalogue,
  agents: readonly string[] = [],
): FieldError[] {
  const known = [...catalogue.names(), ...agents];
  const detail = `must be the name of a tool: ${known.length === 0 ? 'there is none' : known.join(', ')}`;
  return names.flatMap((name, index) =>
    typeof name === 'string' && known.includes(name) ? [] : { pointer: pointerTo([...path, index]), detail },
  );
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

const HERE = ['tools', 'agents'] as const;

/** The parsed `tools.agents` of an agent, or its faults. */
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
 * Finds faults in the agents that this agent may call.
 * @param selfId the id of this agent; null for a new one
 * @param active ids of the tenant's active agents
 * @param builtin the names of the agent's built-in tools
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
  return findCalledFaults(agentId, pointerTo([...HERE, ...path]), selfId, active);
}

/** Refuses an agent that calls itself, and one that is not active. */
export function findCalledFaults(
  agentId: number,
  pointer: string,
  selfId: number | null,
  active: ReadonlySet<number>,
): FieldError[] {
  if (agentId === selfId) return [{ pointer, detail: 'must be another agent: none may call itself' }];
  return active.has(agentId) ? [] : [{ pointer, detail: 'must be the id of an active agent' }];
}
