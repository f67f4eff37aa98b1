import type { List, Route } from '#libs/kit';
import type { JsonObject } from '#libs/kernel';
import type { DomainList, DomainRoute, RouteDependencies } from '#libs/tooling';
import { managerOf, toDatabase, type Manager } from './manager-database.js';
import { translated } from './to-app-error.js';

/** Endpoint of the service for a route of a project. */
export function toRoute(route: Route): DomainRoute<Manager> {
  return {
    ...route,
    handle: (request, dependencies) => translated(() => route.handle(request, facilitiesOf(dependencies))),
  };
}

/** Paged list of the service for a list of a project. */
export function toList(list: List): DomainList<Manager> {
  return {
    ...list,
    read: (request, { manager }) => translated(() => list.read(request, { database: toDatabase(manager) })),
  };
}

function facilitiesOf({
  manager,
  tasks,
  secrets,
  mayCall,
}: RouteDependencies<Manager>): Parameters<Route['handle']>[1] {
  return {
    database: toDatabase(manager),
    tasks: {
      order: (database, { task, data, ...order }) =>
        tasks.order(managerOf(database), {
          ...order,
          kind: task,
          data: data as JsonObject,
        }),
      hasten: (database, { task, tenantId }) => tasks.hasten(managerOf(database), { kind: task, tenantId }),
    },
    secrets: {
      keep: (database, name, text) => secrets.keep(managerOf(database), name, text),
      read: (database, name) => secrets.read(managerOf(database), name),
    },
    mayCall,
  };
}
