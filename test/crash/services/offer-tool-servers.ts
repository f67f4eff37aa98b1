import type { Pool } from 'pg';
import type { ApiClient } from '../../support/services/api-client.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import { STDIO_PROGRAM, type ToolServers } from './tool-servers.js';

/** The transports to tools that are not built in. */
export const TRANSPORTS = ['http', 'sse', 'stdio', 'openapi'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** The name by which agents call the tool of the server on this transport. */
export function serverTool(transport: Transport, tool: string): string {
  return `mcp__${transport}__${tool}`;
}

/** The worker may start these programs and call this machine. */
export const TOOL_SERVER_SETTINGS = {
  STDIO_SERVERS: `*: node ${STDIO_PROGRAM}`,
  STDIO_UNSAFE: 'true',
  PRIVATE_TOOL_HOSTS: '*:127.0.0.1:*',
};

/** Registers a server of each transport, and for each an agent with its tools only; returns the agents' ids. */
export async function offerToolServers(
  api: ApiClient,
  database: Pool,
  servers: ToolServers,
): Promise<Readonly<Record<Transport, number>>> {
  const headers_template = { 'x-case': '${case}' };
  const { program, ledgerUrl } = servers.stdio;
  const origin = await servers.origin();
  const configs: Record<Transport, object> = {
    http: { url: `${origin}/mcp`, headers_template },
    sse: { url: `${origin}/sse`, headers_template },
    stdio: {
      ...{ command: 'node', args: [program] },
      env_template: { CASE: '${case}', LEDGER_URL: ledgerUrl },
    },
    openapi: { document: DESCRIPTION, base_url: `${origin}/service`, headers_template },
  };
  const tools = Object.fromEntries(Object.entries(WATCHED_TOOLS).map(([effect, tool]) => [tool, { effect }]));
  const agents: Partial<Record<Transport, number>> = {};
  for (const transport of TRANSPORTS) {
    const limits = { timeout_ms: 60_000, concurrency: 8 };
    const body = { name: transport, type: transport, config: configs[transport], tools, limits };
    const answer = await api.post('/api/mcp-servers/', body);
    if (answer.status !== 201) throw new Error(`${transport}: ${await answer.text()}`);
    const { rows } = await database.query<{ id: number }>(
      `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, system_prompt, tools)
       SELECT tenant_id, $1, usecase_type, llm_id, system_prompt, $2 FROM agent WHERE id = 1 RETURNING id`,
      [`of ${transport}`, JSON.stringify({ servers: [serverTool(transport, '*')] })],
    );
    agents[transport] = rows[0]?.id ?? 0;
  }
  return agents as Record<Transport, number>;
}

const operation = (operationId: string): object => ({
  operationId,
  parameters: [
    { name: 'item', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
  ],
  responses: { 200: { description: 'Done.' } },
});

const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'ledgered', version: '1' },
  paths: {
    '/items/{item}': {
      get: operation(WATCHED_TOOLS.read),
      put: operation(WATCHED_TOOLS.idempotent),
      post: operation(WATCHED_TOOLS.unsafe),
    },
  },
});
