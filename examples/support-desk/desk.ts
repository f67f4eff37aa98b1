import { readFile } from 'node:fs/promises';
import type { Capstan } from 'capstan/client';
import { provideHandbook, type Models } from './handbook.ts';

const HERE = new URL('.', import.meta.url);
const AGENT = 'supportAgent';

/**
 * Sets the support desk up for this shop: the handbook, the shop's order API, its refunds URL, and the agent with
 * access to them. Returns the agent's id.
 */
export async function provideDesk(client: Capstan, shopUrl: string, models: Models): Promise<number> {
  const { datasourceId, llmId } = await provideHandbook(client, new URL('handbook/', HERE), models);
  await provideShop(client, shopUrl);
  const tools = {
    builtin: ['find_tickets', 'open_ticket', 'refund'],
    search_knowledge: { datasource_ids: [datasourceId], top_k: 2 },
    servers: ['mcp__shop__lookup_order'],
  };
  const { id } = await client.agents.update(await findAgent(client), { llm: llmId, tools });
  return id;
}

async function findAgent(client: Capstan): Promise<number> {
  for await (const { id, name } of client.agents.list()) if (name === AGENT) return id;
  throw new Error(`There is no ${AGENT}: \`capstan dev\` creates it.`);
}

/** `lookup_order` needs no code, as the shop's OpenAPI description defines it; the refunds URL is set in the domain. */
async function provideShop(client: Capstan, shopUrl: string): Promise<void> {
  const document = await readFile(new URL('shop/shop.openapi.json', HERE), 'utf8');
  const config = { document, base_url: shopUrl };
  const known = await findServer(client, 'shop');
  if (known === null) await client.toolServers.create({ name: 'shop', type: 'openapi', config });
  else await client.toolServers.update(known, { config });
  await client.request('PUT', '/api/support-shop/', {
    refunds_url: `${shopUrl}/refunds`,
    refunds_token: 'shop-token',
  });
}

async function findServer(client: Capstan, wanted: string): Promise<string | null> {
  for await (const { id, name } of client.toolServers.list()) if (name === wanted) return id;
  return null;
}
