import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ApiClient } from '../../scripts/quickstart/api-client.ts';
import { provideDatasource, readDocuments } from '../ask-the-docs/datasource.ts';

const HERE = new URL('.', import.meta.url);
const MADE = z.object({ id: z.int() });
const NAMED = z.object({ id: z.union([z.int(), z.string()]), name: z.string() });

/** Names of the chat and embedding models. */
export interface Models {
  readonly chatModel: string;
  readonly embedModel: string;
}

/**
 * Creates or updates a support desk for this shop: the handbook, the shop's order API, its refunds URL, and the agent with
 * access to them. Returns the agent's id.
 */
export async function provideDesk(client: ApiClient, shopUrl: string, models: Models): Promise<number> {
  const datasource = await provideDatasource(client, { name: 'handbook', ...models });
  await readDocuments(client, datasource.id, new URL('handbook/', HERE));
  await provideShop(client, shopUrl);
  const agents = await client.get('/api/agents/', z.array(NAMED));
  const seeded = agents.find(({ name }) => name === 'supportAgent');
  if (seeded === undefined)
    throw new Error('there is no supportAgent: npm run db:migrate -- --seed makes it');
  const tools = {
    builtin: ['find_tickets', 'open_ticket', 'refund'],
    search_knowledge: { datasource_ids: [datasource.id], top_k: 2 },
    servers: ['mcp__shop__lookup_order'],
  };
  return (await client.patch(`/api/agents/${seeded.id}/`, { llm: datasource.llm_id, tools }, MADE)).id;
}

/** `lookup_order` needs no code, as the shop's OpenAPI description defines it; the refunds URL is set in the domain. */
async function provideShop(client: ApiClient, shopUrl: string): Promise<void> {
  const document = await readFile(new URL('shop/shop.openapi.json', HERE), 'utf8');
  const config = { document, base_url: shopUrl };
  const servers = await client.get('/api/mcp-servers/', z.object({ data: z.array(NAMED) }));
  const known = servers.data.find(({ name }) => name === 'shop');
  if (known === undefined)
    await client.post('/api/mcp-servers/', { name: 'shop', type: 'openapi', config }, NAMED);
  else await client.patch(`/api/mcp-servers/${known.id}/`, { config }, NAMED);
  const shop = { refunds_url: `${shopUrl}/refunds`, refunds_token: 'shop-token' };
  await client.put('/api/support-shop/', shop, z.object({ has_token: z.literal(true) }));
}
