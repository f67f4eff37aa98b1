import { domainNames } from '#libs/config';
import * as listed from '#libs/domains';
import { chooseDomains, DomainCatalogue } from '#libs/tooling';
import type { EntityManager } from 'typeorm';

const all = Object.values(listed);

/** Every name that DOMAINS may have. */
export const listedDomains: readonly string[] = all.map(({ name }) => name);

/** Names of the migrations of every domain, loaded or not: its tables stay where it is not named any more. */
export const listedMigrations: readonly string[] = all.flatMap(({ migrations }) =>
  migrations.map(({ name }) => name),
);

/**
 * Everything that the domains of DOMAINS add. They shape routes, schemas and entities while modules load, so the variable is
 * read before the rest of the configuration.
 */
export const domains = new DomainCatalogue<EntityManager>(chooseDomains(all, domainNames(process.env)));
