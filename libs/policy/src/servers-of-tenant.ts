import type { JsonObject } from '#libs/kernel';
import type { TenantSettings } from './tenant-settings.js';

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
