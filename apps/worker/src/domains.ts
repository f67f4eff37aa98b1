import { domainNames } from '#libs/config';
import * as listed from '#libs/domains';
import { describeStartFailure } from '#libs/observability';
import { projectDomains } from '#libs/project';
import { chooseDomains, DomainCatalogue } from '#libs/tooling';
import type { EntityManager } from 'typeorm';

const all = Object.values(listed);

/** All names that DOMAINS may contain. */
export const listedDomains: readonly string[] = all.map(({ name }) => name);

/** Names of the migrations of all domains, loaded or not: an unloaded domain keeps its tables. */
export const listedMigrations: readonly string[] = all.flatMap(({ migrations }) =>
  migrations.map(({ name }) => name),
);

/**
 * Contributions of the domains in DOMAINS and of the project in PROJECT. They shape routes, schemas and entities while
 * modules load, so both variables are read before the rest of the configuration.
 */
export const domains = new DomainCatalogue<EntityManager>([
  ...chooseDomains(all, domainNames(process.env)),
  ...(await projectDomains(process.env, describeStartFailure)),
]);
