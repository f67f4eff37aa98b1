import { describeStartFailure } from '#libs/observability';
import { projectDomains } from '#libs/project';
import { DomainCatalogue } from '#libs/tooling';
import type { EntityManager } from 'typeorm';

/**
 * Contributions of the projects in PROJECT. They shape routes, schemas and migrations while modules load, so the variable is
 * read before the rest of the configuration.
 */
export const domains = new DomainCatalogue<EntityManager>(
  await projectDomains(process.env, describeStartFailure),
);
