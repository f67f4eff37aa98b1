import type { AnyTool, Domain } from '#libs/kit';
import { toDomain, toManager, toToolDefinition, type ToolFacilities } from '#libs/project';
import { DomainCatalogue, type ToolDefinition } from '#libs/tooling';

/** Definitions of tools; those of the domain may keep what it declares. */
export function defineTools(
  tools: readonly AnyTool[],
  domain: Domain | undefined,
  facilities: ToolFacilities,
): ToolDefinition[] {
  const { fetchFor } = facilities;
  const secrets = { read: () => Promise.reject(new Error('a test has no secrets')) };
  const dependencies = { manager: toManager(facilities.database), running: { fetchFor, secrets } };
  const ofDomain =
    domain === undefined ? [] : new DomainCatalogue([toDomain(domain, [])]).tools(dependencies);
  return tools.map(
    (tool) => ofDomain.find(({ name }) => name === tool.name) ?? toToolDefinition(tool, facilities),
  );
}
