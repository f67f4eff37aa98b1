import { AppError } from '#libs/kernel';
import { defineRoute, type DomainDependencies } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { SupportShop } from '../entities/support-shop.entity.js';

const EXAMPLE = { refunds_url: 'https://shop.example.com/refunds' };
const shopSchema = z.strictObject({
  refunds_url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2_000)
    .refine(hasNoUser, 'must have no user name or password')
    .describe('Where refunds are asked for, by POST.'),
});

function hasNoUser(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '');
}

const ANSWER = {
  name: 'SupportShop',
  schema: shopSchema,
  example: EXAMPLE,
  status: 200,
  description: 'The shop.',
} as const;

/** Where a tenant's refunds are asked for. */
export const findSupportShopRoute = defineRoute({
  method: 'GET',
  path: 'support-shop',
  operation: 'getSupportShop',
  tag: 'support desk',
  summary: 'Read the shop of the support desk',
  description: 'Refunds are asked for there. Without one nothing is refunded.',
  scope: 'agents:read',
  answer: ANSWER,
  problems: [404],
  handle: async ({ tenantId }, { manager }: DomainDependencies<EntityManager>) => {
    const shop = await manager.findOneBy(SupportShop, { tenantId });
    if (shop === null)
      throw new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'No support shop is set up' });
    return { refunds_url: shop.refundsUrl };
  },
});

/** Names it, in place of an earlier one. */
export const setSupportShopRoute = defineRoute({
  method: 'PUT',
  path: 'support-shop',
  operation: 'setSupportShop',
  tag: 'support desk',
  summary: 'Say where refunds are asked for',
  description:
    'Takes the place of what was said before. An address of a private network is called only where the operator allows it (`PRIVATE_TOOL_HOSTS`).',
  scope: 'agents:write',
  body: { name: 'SupportShopChange', schema: shopSchema, example: EXAMPLE },
  answer: ANSWER,
  handle: async ({ tenantId, body }, { manager }: DomainDependencies<EntityManager>) => {
    await manager.upsert(SupportShop, { tenantId, refundsUrl: body.refunds_url }, ['tenantId']);
    return body;
  },
});
