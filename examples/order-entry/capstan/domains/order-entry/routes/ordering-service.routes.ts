import { defineRoute, type NamedSchema } from 'capstan/kit';
import { z } from 'zod';
import {
  nameOrderingService,
  removeOrderingService,
  showOrderingService,
} from '../ordering-services/ordering-services.ts';

const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2_000)
  .describe('URL that orders are posted to.');

const token = z
  .string()
  .min(1)
  .max(4_000)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .nullable()
  .optional()
  .describe('Bearer token for the service; stored encrypted.');

const orderingServiceSchema = z.object({
  url,
  has_token: z.boolean(),
  version: z.int().describe('Number of the version, from 1; part of the `ETag`.'),
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
  summary: 'Read the ordering service',
  description: 'Its token is never shown.',
  scope: 'agents:read',
  answer: { ...answered, status: 200, description: 'The ordering service of the tenant.' },
  versionOf: ({ version }) => version,
  problems: [404],
  handle: ({ tenantId }, dependencies) => showOrderingService(dependencies, tenantId),
});

const nameOrderingServiceRoute = defineRoute({
  ...place,
  method: 'PUT',
  operation: 'putOrderingService',
  summary: 'Set the ordering service',
  description:
    'Replaces all fields: without `token` the stored one is deleted, so that no token is sent to a new address. ' +
    'The service must answer `POST` with `{"order_number": …}`, and the same `Idempotency-Key` with the same answer.',
  scope: 'agents:write',
  body: {
    name: 'OrderingServiceFields',
    schema: z.strictObject({
      url,
      token,
    }),
    example: { url: 'https://orders.example.com/orders', token: 'a-secret-of-the-service' },
  },
  answer: { ...answered, status: 200, description: 'The ordering service as it is now.' },
  versionOf: ({ version }) => version,
  changesIfMatch: true,
  problems: [422],
  handle: ({ tenantId, expectedVersions, body }, dependencies) =>
    nameOrderingService(dependencies, {
      ...{ tenantId, expectedVersions, url: body.url, token: body.token ?? null },
    }),
});

const removeOrderingServiceRoute = defineRoute({
  ...place,
  method: 'DELETE',
  operation: 'deleteOrderingService',
  summary: 'Delete the ordering service',
  description:
    'Deletes its token too. Orders that are being sent fail with the code `service_removed`; report the outcome of those ' +
    'that may have arrived with `POST /api/order-requests/{id}/outcome/`.',
  scope: 'agents:write',
  answer: { status: 204, description: 'The ordering service is gone.' },
  changesIfMatch: true,
  problems: [404],
  handle: ({ tenantId, expectedVersions }, dependencies) =>
    removeOrderingService(dependencies, { tenantId, expectedVersions }),
});

export const orderingServiceRoutes = [
  findOrderingServiceRoute,
  nameOrderingServiceRoute,
  removeOrderingServiceRoute,
];
