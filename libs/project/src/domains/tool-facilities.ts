import type { ToolDependencies } from '#libs/tooling';
import type { ToolFacilities } from '../tool-definition.js';
import { managerOf, toDatabase, type Manager } from './manager-database.js';

/** Facilities of a project's tools; undefined in processes that run none. */
export function toToolFacilities({
  manager,
  running,
}: ToolDependencies<Manager>): ToolFacilities | undefined {
  if (running === undefined) return undefined;
  const { secrets, fetchFor } = running;
  return {
    database: toDatabase(manager),
    secrets: { read: (database, secret) => secrets.read(managerOf(database), secret) },
    fetchFor,
  };
}
