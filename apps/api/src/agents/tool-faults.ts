import type { JsonObject, JsonValue } from '#libs/kernel';
import { agentToolsSchema, callableAgents, type AgentTool, type CallableAgent } from '#libs/tool-sources';
import type { ToolCatalogue } from '#libs/tooling';
import { pointerTo, type FieldError } from '../http/request-errors.js';

/** What is wrong with the tools that an agent names. */
export function findToolFaults(tools: JsonObject, catalogue: ToolCatalogue): FieldError[] {
  const { builtin } = tools;
  if (builtin === undefined) return [];
  if (!isList(builtin)) return [{ pointer: '#/tools/builtin', detail: 'must be a list of tool names' }];
  return findUnknown(builtin, ['tools', 'builtin'], catalogue);
}

/** What is wrong with the tools whose calls are to wait for a person; `field` says where in the body the options stand. */
export function findApprovalFaults(
  options: JsonObject,
  field: 'config' | 'options' | 'extra',
  catalogue: ToolCatalogue,
  agents: readonly string[] = [],
): FieldError[] {
  const names = options['require_approval'];
  if (!isList(names)) return [];
  // What a server offers only a run knows: one that has no such tool fails.
  const ofServers = names.filter(
    (name): name is string => typeof name === 'string' && SERVER_TOOL.test(name),
  );
  return findUnknown(names, [field, 'require_approval'], catalogue, [...agents, ...ofServers]);
}

/** Names of tools of a tenant's servers. */
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
  return findCalledFaults(agentId, pointerTo([...HERE, ...path]), selfId, active);
}

/** What is wrong with an agent that is named here to be called. */
export function findCalledFaults(
  agentId: number,
  pointer: string,
  selfId: number | null,
  active: ReadonlySet<number>,
): FieldError[] {
  if (agentId === selfId) return [{ pointer, detail: 'must be another agent: none may call itself' }];
  return active.has(agentId) ? [] : [{ pointer, detail: 'must be the id of an active agent' }];
}
