import { orderEntryEntities, orderEntryMigrations, orderEntryTools, seedOrderEntry } from '#libs/order-entry';
import {
  evaluateToolCall,
  ToolCatalogue,
  type ToolContext,
  type ToolDefinition,
  type ToolReturn,
} from '#libs/tooling';
import { DataSource } from 'typeorm';
import type { TestDatabase } from '../../support/services/test-database.js';

/** The tenant with the seeded catalogue. */
export const TENANT = 'wholesaler';
/** A tenant that owns nothing. */
export const STRANGER = 'stranger';

export const EXECUTION = '0193a000-0000-7000-8000-000000000001';

const SESSION = '0193a000-0000-7000-8000-0000000000ff';

/** Opens a pool on a database with the tables of order entry and the example data of {@link TENANT}. */
export async function openOrderEntry(database: TestDatabase): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: database.url,
    entities: orderEntryEntities,
    migrations: orderEntryMigrations,
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  await seedOrderEntry(dataSource.manager, TENANT);
  return dataSource;
}

export function findTool(dataSource: DataSource, name: string): ToolDefinition {
  const tool = orderEntryTools(dataSource.manager).find((candidate) => candidate.name === name);
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
