import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toDatabase, toDomain } from '#libs/project';
import {
  DomainCatalogue,
  evaluateToolCall,
  ToolCatalogue,
  type ToolContext,
  type ToolDefinition,
  type ToolReturn,
} from '#libs/tooling';
import { DataSource } from 'typeorm';
import { orderEntry } from '../../../examples/order-entry/capstan/domains/order-entry/index.ts';
import {
  readOrderRequest,
  type OrderRequestView,
} from '../../../examples/order-entry/capstan/domains/order-entry/order-requests/read-order-request.ts';
import type { TestDatabase } from '../../support/services/test-database.js';

/** The tenant with the seeded catalogue. */
export const TENANT = 'wholesaler';
/** A tenant that owns nothing. */
export const STRANGER = 'stranger';

export const EXECUTION = '0193a000-0000-7000-8000-000000000001';

const SESSION = '0193a000-0000-7000-8000-0000000000ff';

const MIGRATIONS = join(
  import.meta.dirname,
  '../../../examples/order-entry/capstan/domains/order-entry/migrations',
);

/** Order entry of the examples, as the service loads it from the project. */
export const DOMAIN = toDomain(
  orderEntry,
  readdirSync(MIGRATIONS).map((name) => ({ name, sql: readFileSync(join(MIGRATIONS, name), 'utf8') })),
);

/** Opens a pool on a database with the tables of order entry and the example data of {@link TENANT}. */
export async function openOrderEntry(database: Pick<TestDatabase, 'url'>): Promise<DataSource> {
  const { url } = database;
  const dataSource = new DataSource({ type: 'postgres', url, migrations: [...DOMAIN.migrations] as never[] });
  await dataSource.initialize();
  await dataSource.runMigrations();
  await DOMAIN.seed({ manager: dataSource.manager, tenantId: TENANT });
  return dataSource;
}

/** An order request as the API shows it; null if missing. */
export function readOrder(
  { manager }: Pick<DataSource, 'manager'>,
  tenantId: string,
  id: number,
): Promise<OrderRequestView | null> {
  return readOrderRequest(toDatabase(manager), tenantId, id);
}

/** Facilities of tools beside the database. */
export const RUNNING = { secrets: { read: () => Promise.resolve(null) }, fetchFor: () => fetch };

export function findTool({ manager }: Pick<DataSource, 'manager'>, name: string): ToolDefinition {
  const tools = new DomainCatalogue([DOMAIN]).tools({ manager, running: RUNNING });
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`order entry has no tool called ${name}`);
  return tool;
}

/** Calls a tool as the agent loop does: with parsed input, for a tenant. */
export function callTool(tool: ToolDefinition, input: unknown, tenantId = TENANT): Promise<ToolReturn> {
  const context: ToolContext = {
    tenantId,
    executionId: EXECUTION,
    sessionId: SESSION,
    scope: '',
    executor: null,
    idempotencyKey: `${EXECUTION}.1.0`,
    signal: new AbortController().signal,
    events: { progress: () => undefined },
  };
  const verdict = evaluateToolCall(
    { toolName: tool.name, arguments: JSON.stringify(input) },
    new ToolCatalogue([tool]),
  );
  if (verdict.kind === 'refuse') throw new Error(verdict.output);
  return tool.run(verdict.input, context);
}
