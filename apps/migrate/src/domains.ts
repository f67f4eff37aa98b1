import * as listed from '#libs/domains';
import { DomainCatalogue } from '#libs/tooling';
import type { EntityManager } from 'typeorm';

/** Everything that the domains of this installation add. */
export const domains = new DomainCatalogue<EntityManager>(Object.values(listed));
