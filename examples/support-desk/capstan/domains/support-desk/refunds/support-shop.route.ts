import { defineRoute } from 'capstan/kit';
import { z } from 'zod';
import { deleteShop, setShop, showShop } from './shops.ts';

const refundsUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2_000)
  .describe('URL that refund requests are posted to.');

const refundsToken = z
  .string()
  .min(1)
  .max(4_000)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .nullable()
  .optional()
  .describe('Bearer token for the shop; stored encrypted.');

const place = { path: 'support-shop', tag: 'support desk' } as const;
const ANSWER = {
  name: 'SupportShop',
  schema: z.object({ refunds_url: refundsUrl, has_token: z.boolean() }),
  example: { refunds_url: 'https://shop.example.com/refunds', has_token: true },
  status: 200,
  description: 'The shop.',
} as const;

/** Reads the shop that a tenant's refunds are requested from. */
export const getSupportShop = defineRoute({
  ...place,
  method: 'GET',
  operation: 'getSupportShop',
  summary: 'Read the shop of the support desk',
  description: 'The shop pays refunds; without one nothing is refunded. Its token is never shown.',
  scope: 'agents:read',
  answer: ANSWER,
  problems: [404],
  handle: ({ tenantId }, dependencies) => showShop(dependencies, tenantId),
});

/** Sets the shop, replacing an earlier one. */
export const setSupportShop = defineRoute({
  ...place,
  method: 'PUT',
  operation: 'setSupportShop',
  summary: 'Set the shop of the support desk',
  description:
    'Replaces all fields: without `refunds_token` the stored one is deleted, so that no token is sent to a new address. ' +
    'The shop must answer 201 with `{"receipt": …}` after paying, and 4xx to refuse; ' +
    'after any other answer, redirects included, a person is asked whether it paid.',
  scope: 'agents:write',
  body: {
    name: 'SupportShopFields',
    schema: z.strictObject({ refunds_url: refundsUrl, refunds_token: refundsToken }),
    example: { refunds_url: 'https://shop.example.com/refunds', refunds_token: 'a-secret-of-the-shop' },
  },
  answer: ANSWER,
  problems: [422],
  handle: ({ tenantId, body }, dependencies) =>
    setShop(dependencies, tenantId, { url: body.refunds_url, token: body.refunds_token ?? null }),
});

/** Deletes the shop. */
export const deleteSupportShop = defineRoute({
  ...place,
  method: 'DELETE',
  operation: 'deleteSupportShop',
  summary: 'Delete the shop of the support desk',
  description:
    'Deletes its token too. Until another shop is named, agents report that nothing was paid. Refunds of unknown outcome ' +
    'still wait for a person.',
  scope: 'agents:write',
  answer: { status: 204, description: 'The shop is gone.' },
  problems: [404],
  handle: ({ tenantId }, dependencies) => deleteShop(dependencies, tenantId),
});
