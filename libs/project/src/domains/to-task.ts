import type { Task } from '#libs/kit';
import type { BackgroundTask } from '#libs/tooling';
import { managerOf, toDatabase, type Manager } from './manager-database.js';

/** Background task of the service for a task of a project. */
export function toTask({ name, data, timeoutMs, pace, perform, record }: Task): BackgroundTask<Manager> {
  return {
    kind: name,
    data,
    timeoutMs,
    ...(pace !== undefined && { pace }),
    perform: (given, attempt, { manager, secrets, fetchFor }) =>
      perform(given, attempt, {
        database: toDatabase(manager),
        secrets: { read: (database, secret) => secrets.read(managerOf(database), secret) },
        fetchFor,
      }),
    record: (manager, given, outcome, attempt) => record(toDatabase(manager), given, outcome, attempt),
  };
}
