import type { Tool } from '../../api/types.js';
import type { JsonObject } from '../../format/json-object.js';
import { withKey } from './agent-draft.js';

/** Lists of tool names in `tools` of an agent. */
export type ToolList = 'builtin' | 'servers';

/** Name that stands for every tool of every server. */
export const EVERY_TOOL = '*';

/** Name that stands for every tool of one server. Pure. */
export const everyToolOf = (server: string): string => `mcp__${server}__*`;

export const listOf = ({ source }: Pick<Tool, 'source'>): ToolList =>
  source === 'builtin' ? 'builtin' : 'servers';

/** Texts of a list in an object; none where it is something else. Pure. */
export function namesIn(object: JsonObject, key: string): string[] {
  const list = object[key];
  return Array.isArray(list) ? list.filter((name): name is string => typeof name === 'string') : [];
}

/** Adds a name to a list of an object, or takes it out; an empty list is left out. Pure. */
export function withNameToggled(object: JsonObject, key: string, name: string): JsonObject {
  const names = namesIn(object, key);
  const next = names.includes(name) ? names.filter((each) => each !== name) : [...names, name];
  return withKey(object, key, next.length === 0 ? undefined : next);
}

/** Name in `tools.servers` that lets an agent call a tool without naming it: `*`, or its server's. Pure. */
export function coveringName(servers: readonly string[], tool: Tool): string | null {
  if (tool.server === null) return null;
  const ofServer = everyToolOf(tool.server.name);
  return [EVERY_TOOL, ofServer].find((name) => servers.includes(name)) ?? null;
}

/** Whether an agent with these `tools` may call the tool. Pure. */
export function maySelect(tools: JsonObject, tool: Tool): boolean {
  const names = namesIn(tools, listOf(tool));
  return names.includes(tool.name) || (tool.source === 'server' && coveringName(names, tool) !== null);
}

export interface ToolGroup {
  /** Name of the server; null for tools of this installation. */
  readonly server: string | null;
  readonly tools: readonly Tool[];
}

/** Tools by their server, those of the installation first, that match all words of the search. Pure. */
export function toolGroups(tools: readonly Tool[], servers: readonly string[], search: string): ToolGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = tools.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const builtin = { server: null, tools: found.filter(({ source }) => source === 'builtin') };
  const ofServers = servers.toSorted().map((server) => ({
    server,
    tools: found.filter((tool) => tool.server?.name === server),
  }));
  return [builtin, ...ofServers].filter(
    (group) => group.tools.length > 0 || (words.length === 0 && group.server !== null),
  );
}

/** Names that the agent has and no listed tool or server explains. Pure. */
export function unknownNames(
  tools: JsonObject,
  known: readonly Tool[],
  servers: readonly string[],
): { readonly list: ToolList; readonly name: string }[] {
  const names = new Set([EVERY_TOOL, ...servers.map(everyToolOf), ...known.map(({ name }) => name)]);
  return (['builtin', 'servers'] as const).flatMap((list) =>
    namesIn(tools, list)
      .filter((name) => !names.has(name))
      .map((name) => ({ list, name })),
  );
}
