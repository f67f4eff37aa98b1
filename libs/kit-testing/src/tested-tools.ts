import type { AnyTool, Domain } from '#libs/kit';
import { toDomain, toManager, toToolDefinition, type ToolFacilities } from '#libs/project';
import { DomainCatalogue, type ToolDefinition, type ToolDependencies } from '#libs/tooling';

type SecretsOfManager = NonNullable<ToolDependencies<ReturnType<typeof toManager>>['running']>['secrets'];

/** Definitions of tools; those of the domain may keep what it declares. */
export function defineTools(
  tools: readonly AnyTool[],
  domain: Domain | undefined,
  facilities: ToolFacilities,
): ToolDefinition[] {
  const { database, fetchFor } = facilities;
  const secrets: SecretsOfManager = {
    read: (_manager, secret) => facilities.secrets.read(database, secret),
  };
  const dependencies = { manager: toManager(database), running: { fetchFor, secrets } };
  const ofDomain =
    domain === undefined ? [] : new DomainCatalogue([toDomain(domain, [])]).tools(dependencies);
  return tools.map(
    (tool) => ofDomain.find(({ name }) => name === tool.name) ?? toToolDefinition(tool, facilities),
  );
}
