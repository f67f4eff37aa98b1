import type { Connection, Effect, Tool } from '../api/types.js';

export const TABS = ['tools', 'servers', 'connections'] as const;
export type Tab = (typeof TABS)[number];

export const EFFECTS: readonly Effect[] = ['read', 'idempotent', 'unsafe'];

export const CONNECTION_STATES: readonly Connection['status'][] = [
  'pending',
  'connected',
  'needs_reconnect',
  'revoked',
];

/** Tab and filters of the tools, as the address of the page holds them. Only what is set is there. */
export interface ToolsSearch {
  readonly tab?: Tab;
  /** Part of the name or the description of a tool. */
  readonly q?: string;
  readonly effect?: Effect;
  /** Name of a server, or `builtin`. */
  readonly source?: string;
  readonly state?: Connection['status'];
  /** User of a connection. */
  readonly user?: string;
}

/** Takes the parts of an address that make sense. Pure. */
export function toolsSearchOf(search: Readonly<Record<string, unknown>>): ToolsSearch {
  const tab = TABS.find((each) => each === search['tab']);
  const effect = EFFECTS.find((each) => each === search['effect']);
  const state = CONNECTION_STATES.find((each) => each === search['state']);
  const q = textOf(search['q']);
  const source = textOf(search['source']);
  const user = textOf(search['user']);
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(q === '' ? {} : { q }),
    ...(effect === undefined ? {} : { effect }),
    ...(source === '' ? {} : { source }),
    ...(state === undefined ? {} : { state }),
    ...(user === '' ? {} : { user }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : '';
}

/** Tools that the filters let through. Pure. */
export function filterTools(tools: readonly Tool[], { q = '', effect, source }: ToolsSearch): Tool[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter((tool) => {
    if (effect !== undefined && tool.effect !== effect) return false;
    if (source !== undefined && sourceOf(tool) !== source) return false;
    const text = `${tool.name} ${tool.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Name of the server of a tool, or `builtin`. Pure. */
export const sourceOf = ({ server }: Pick<Tool, 'server'>): string => server?.name ?? 'builtin';

/** Sets a part of the search, or takes it out. Pure. */
export function withPart<Name extends keyof ToolsSearch>(
  search: ToolsSearch,
  name: Name,
  value: ToolsSearch[Name] | undefined,
): ToolsSearch {
  const { [name]: _, ...rest } = search;
  return value === undefined || value === '' ? rest : { ...rest, [name]: value };
}
