import type { Domain as KitDomain, StagedChange } from '#libs/kit';
import {
  checkDomains,
  defineDomain,
  defineStagedChange,
  type Domain,
  type LookUp,
  type MessageData,
  type StagedChangeKind,
} from '#libs/tooling';
import { toToolDefinition } from '../tool-definition.js';
import { toDatabase, type Manager } from './manager-database.js';
import { toMigration, type SqlFile } from './sql-migrations.js';
import { translated } from './to-app-error.js';
import { toList, toRoute } from './to-route.js';
import { toTask } from './to-task.js';
import { toToolFacilities } from './tool-facilities.js';

/**
 * Domain of the service for a domain of a project. Its agents are those of the project.
 * @throws {AppError} `DOMAIN_INVALID`, or one that names the field of a tool
 */
export function toDomain(domain: KitDomain, migrations: readonly SqlFile[]): Domain<Manager> {
  const { name, tools = [], stagedChanges = {}, lookUps = {} } = domain;
  const converted = defineDomain<Manager>({
    name,
    tools: (dependencies) => {
      const facilities = toToolFacilities(dependencies);
      return tools.map((tool) => toToolDefinition(tool, facilities));
    },
    migrations: migrations.map((file) => toMigration(name, file)),
    ...(domain.messageData !== undefined && { messageData: domain.messageData as MessageData }),
    lookUps: mapValues(lookUps, toLookUp),
    stagedChanges: mapValues(stagedChanges, toStagedChange),
    tasks: (domain.tasks ?? []).map(toTask),
    routes: (domain.routes ?? []).map(toRoute),
    lists: (domain.lists ?? []).map(toList),
    errors: domain.errors ?? {},
    seed: async ({ manager, tenantId }) => domain.seed?.({ database: toDatabase(manager), tenantId }),
  });
  for (const tool of tools) toToolDefinition(tool, undefined);
  checkDomains([converted]);
  return converted;
}

function toStagedChange(change: StagedChange): StagedChangeKind<Manager> {
  return defineStagedChange({
    data: change.data,
    apply: (manager: Manager, given, execution) =>
      translated(() => change.apply(toDatabase(manager), given, execution)),
  });
}

function toLookUp(lookUp: NonNullable<KitDomain['lookUps']>[string]): LookUp<Manager> {
  return (value, asker, { manager }) => lookUp(value, asker, { database: toDatabase(manager) });
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
