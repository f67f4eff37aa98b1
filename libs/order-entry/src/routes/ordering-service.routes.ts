import {
  bearerTokenField,
  calledUrlField,
  defineRoute,
  type NamedSchema,
  type RouteDependencies,
} from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import {
  nameOrderingService,
  removeOrderingService,
  showOrderingService,
} from '../ordering-services/ordering-services.js';

const url = calledUrlField('Orders are posted to it.');

const orderingServiceSchema = z.object({
  url,
  has_token: z.boolean(),
  version: z.int().describe('Counts the changes; the `ETag` holds it.'),
  updated_at: z.iso.datetime(),
});
const answered: NamedSchema<z.infer<typeof orderingServiceSchema>> = {
  name: 'OrderingService',
  schema: orderingServiceSchema,
  example: {
    url: 'https://orders.example.com/orders',
    has_token: true,
    version: 1,
    updated_at: '2026-11-22T09:00:00.000Z',
  },
};

const place = { path: 'ordering-service', tag: 'order entry' } as const;

const findOrderingServiceRoute = defineRoute({
  ...place,
  method: 'GET',
  operation: 'getOrderingService',
  summary: 'Read where orders are sent',
  description: 'Its token is never shown.',
  scope: 'agents:read',
  answer: { ...answered, status: 200, description: 'The ordering service of the tenant.' },
  versionOf: ({ version }) => version,
  problems: [404],
  handle: ({ tenantId }, { manager }: RouteDependencies<EntityManager>) =>
    showOrderingService(manager, tenantId),
});

const nameOrderingServiceRoute = defineRoute({
  ...place,
  method: 'PUT',
  operation: 'putOrderingService',
  summary: 'Say where orders are sent',
  description:
    'As a whole: without `token` the one before is forgotten, so that none goes to another address than it was given for. ' +
    'The service answers `POST` with `Idempotency-Key` by `{"order_number": …}`, and the same key with the same answer.',
  scope: 'agents:write',
  body: {
    name: 'OrderingServiceFields',
    schema: z.strictObject({
      url,
      token: bearerTokenField,
    }),
    example: { url: 'https://orders.example.com/orders', token: 'a-secret-of-the-service' },
  },
  answer: { ...answered, status: 200, description: 'The ordering service as it is now.' },
  versionOf: ({ version }) => version,
  changesIfMatch: true,
  problems: [422],
  handle: ({ tenantId, expectedVersions, body }, dependencies: RouteDependencies<EntityManager>) =>
    nameOrderingService(dependencies, {
      ...{ tenantId, expectedVersions, url: body.url, token: body.token ?? null },
    }),
});

const removeOrderingServiceRoute = defineRoute({
  ...place,
  method: 'DELETE',
  operation: 'deleteOrderingService',
  summary: 'Send orders nowhere any more',
  description:
    'Its token goes with it. What is on its way there fails, with the code `service_removed`; where it may have arrived, ' +
    '`POST /api/order-requests/{id}/outcome/` says what became of it.',
  scope: 'agents:write',
  answer: { status: 204, description: 'The ordering service is gone.' },
  changesIfMatch: true,
  problems: [404],
  handle: ({ tenantId, expectedVersions }, dependencies: RouteDependencies<EntityManager>) =>
    removeOrderingService(dependencies, { tenantId, expectedVersions }),
});

export const orderingServiceRoutes = [
  findOrderingServiceRoute,
  nameOrderingServiceRoute,
  removeOrderingServiceRoute,
];
