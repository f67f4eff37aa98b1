import type { Task } from '#libs/kit';
import type { BackgroundTask } from '#libs/tooling';
import { managerOf, toDatabase, type Manager } from './manager-database.js';

/** Background task of the service for a task of a project. */
export function toTask(task: Task): BackgroundTask<Manager> {
  const { name, data, timeoutMs, pace } = task;
  return {
    kind: name,
    data,
    timeoutMs,
    ...(pace !== undefined && { pace }),
    perform: (given, attempt, { manager, secrets, fetchFor }) =>
      task.perform(given, attempt, {
        database: toDatabase(manager),
        secrets: { read: (database, secret) => secrets.read(managerOf(database), secret) },
        fetchFor,
      }),
    record: (manager, given, outcome, attempt) => task.record(toDatabase(manager), given, outcome, attempt),
  };
}
