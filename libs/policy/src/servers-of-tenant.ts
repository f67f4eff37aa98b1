import type { JsonObject } from '#libs/kernel';
import type { TenantSettings } from './tenant-settings.js';

const ALL = ['*'];

/** The tools of an agent with the tool servers that its tenant offers to all agents; its own `servers` win (S4-8). Pure. */
export function withServersOfTenant(
  tools: JsonObject,
  { tool_servers: offered }: Pick<TenantSettings, 'tool_servers'>,
): JsonObject {
  return offered === 'all' && tools['servers'] === undefined ? { ...tools, servers: ALL } : tools;
}
