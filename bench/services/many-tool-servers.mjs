// @ts-check
import { FIVE_SERVERS, SERVERS } from './model-scripts.mjs';

/**
 * Counts of the servers so far.
 * @typedef {object} ServerCounts
 * @property {number} calls
 * @property {number} begun sessions
 * @property {number} sessions that are open
 * @property {number} mostSessions at the same time
 * @property {number} connections that are open
 * @property {number} mostConnections at the same time
 */

/** Address of a server; each has its own, as foreign servers do. @param {number} tenant @param {number} server */
function addressOf(tenant, server) {
  return `127.${server + 1}.${Math.floor(tenant / 250)}.${(tenant % 250) + 1}`;
}

/** The operator's PRIVATE_TOOL_HOSTS, since all servers are on this machine. @param {number} tenants */
export function privateHosts(tenants) {
  return Array.from({ length: tenants }, (_, index) =>
    SERVERS.map((_server, at) => `*:${addressOf(index + 1, at)}:*`),
  )
    .flat()
    .join(',');
}

/**
 * Inserts tenants with an agent and five tool servers each, without the API.
 * @param {import('pg').Pool} database
 * @param {number} tenants
 * @param {number} port of all servers
 */
export async function insertToolServers(database, tenants, port) {
  await database.query(
    `INSERT INTO tenant (id, name) SELECT 'tenant-' || n, 'tenant-' || n FROM generate_series(1, $1::int) AS n`,
    [tenants],
  );
  await database.query(
    `INSERT INTO llm (tenant_id, name, provider, model)
     SELECT 'tenant-' || n, 'tools', 'openai', 'sim-script' FROM generate_series(1, $1::int) AS n`,
    [tenants],
  );
  await database.query(
    `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, tools)
     SELECT tenant_id, 'tools', 'BASIC_CHAT', id, $1 FROM llm WHERE name = 'tools'`,
    [JSON.stringify({ servers: SERVERS.map(({ name }) => `mcp__${name}__*`) })],
  );
  for (let tenant = 1; tenant <= tenants; tenant += 1)
    for (const [at, { name, type, path }] of SERVERS.entries()) {
      const base = `http://${addressOf(tenant, at)}:${port}`;
      const config =
        type === 'openapi' ? { document: DESCRIPTION, base_url: base } : { url: `${base}${path}` };
      await database.query(
        `INSERT INTO tool_server (id, tenant_id, name, type, config, tools, limits)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6)`,
        [`tenant-${tenant}`, name, type, ...[config, TOOLS, LIMITS].map((value) => JSON.stringify(value))],
      );
    }
}

/** Inserts one more execution for each tenant, which calls each of its servers. @param {import('pg').Pool} database */
export async function insertRound(database) {
  await database.query(
    `WITH line AS (
       SELECT gen_random_uuid() AS session_id, id AS agent_id, tenant_id FROM agent WHERE name = 'tools'
     ), session AS (
       INSERT INTO chat_session (id, tenant_id, agent_id, next_turn) SELECT session_id, tenant_id, agent_id, 2 FROM line
     )
     INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request)
     SELECT gen_random_uuid(), tenant_id, agent_id, session_id, 1, $1::jsonb FROM line`,
    [JSON.stringify({ input: FIVE_SERVERS, options: {}, additional_data: {} })],
  );
}

const TOOLS = { find: { effect: 'read' } };
const LIMITS = { timeout_ms: 30_000, concurrency: 8 };
const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'things', version: '1' },
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'find',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'Found.' } },
      },
    },
  },
});
