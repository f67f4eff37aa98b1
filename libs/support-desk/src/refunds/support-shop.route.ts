import { bearerTokenField, calledUrlField, defineRoute, type RouteDependencies } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { nameShop, removeShop, showShop } from './shops.js';

const refundsUrl = calledUrlField('Where refunds are asked for, by POST.');

const place = { path: 'support-shop', tag: 'support desk' } as const;
const ANSWER = {
  name: 'SupportShop',
  schema: z.object({ refunds_url: refundsUrl, has_token: z.boolean() }),
  example: { refunds_url: 'https://shop.example.com/refunds', has_token: true },
  status: 200,
  description: 'The shop.',
} as const;

/** Reads the shop that a tenant's refunds are requested from. */
export const findSupportShopRoute = defineRoute({
  ...place,
  method: 'GET',
  operation: 'getSupportShop',
  summary: 'Read the shop of the support desk',
  description: 'Refunds are asked for there. Without one nothing is refunded. Its token is never shown.',
  scope: 'agents:read',
  answer: ANSWER,
  problems: [404],
  handle: ({ tenantId }, { manager }: RouteDependencies<EntityManager>) => showShop(manager, tenantId),
});

/** Sets the shop, replacing an earlier one. */
export const setSupportShopRoute = defineRoute({
  ...place,
  method: 'PUT',
  operation: 'setSupportShop',
  summary: 'Say where refunds are asked for',
  description:
    'As a whole: without `refunds_token` the one before is forgotten, so that none goes to another address than it was given ' +
    'for. The shop answers 201 with `{"receipt": …}` once it has paid, and 4xx where it does not; ' +
    'after any other answer, redirects included, a person is asked whether it has paid.',
  scope: 'agents:write',
  body: {
    name: 'SupportShopFields',
    schema: z.strictObject({
      refunds_url: refundsUrl,
      refunds_token: bearerTokenField,
    }),
    example: { refunds_url: 'https://shop.example.com/refunds', refunds_token: 'a-secret-of-the-shop' },
  },
  answer: ANSWER,
  problems: [422],
  handle: ({ tenantId, body }, dependencies: RouteDependencies<EntityManager>) =>
    nameShop(dependencies, tenantId, {
      url: body.refunds_url,
      token: body.refunds_token ?? null,
    }),
});

/** Deletes the shop. */
export const removeSupportShopRoute = defineRoute({
  ...place,
  method: 'DELETE',
  operation: 'deleteSupportShop',
  summary: 'Ask for refunds nowhere any more',
  description:
    'Deletes its token too. Until another shop is named, agents report that nothing was paid. Refunds of unknown outcome ' +
    'still wait for a person.',
  scope: 'agents:write',
  answer: { status: 204, description: 'The shop is gone.' },
  problems: [404],
  handle: ({ tenantId }, dependencies: RouteDependencies<EntityManager>) =>
    removeShop(dependencies, tenantId),
});
