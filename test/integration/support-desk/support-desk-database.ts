import { supportDeskEntities, supportDeskMigrations } from '#libs/support-desk';
import { evaluateToolCall, ToolCatalogue, type ToolDefinition, type ToolReturn } from '#libs/tooling';
import { DataSource } from 'typeorm';
import type { TestDatabase } from '../../support/services/test-database.js';

export const TENANT = 'a-shop';
/** A tenant that owns nothing. */
export const STRANGER = 'stranger';
export const EXECUTION = '0193a000-0000-7000-8000-000000000001';
export const OTHER_EXECUTION = '0193a000-0000-7000-8000-000000000002';

/** Opens a pool on a database with the tables of the support desk only. */
export async function openSupportDesk({ url }: Pick<TestDatabase, 'url'>): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    entities: supportDeskEntities,
    migrations: supportDeskMigrations,
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  return dataSource;
}

/** Calls a tool as the agent loop does: with parsed input, for a tenant. Throws an error with the text of a refusal. */
export async function callTool(tool: ToolDefinition, input: unknown, tenantId = TENANT): Promise<ToolReturn> {
  const verdict = evaluateToolCall(
    { toolName: tool.name, arguments: JSON.stringify(input) },
    new ToolCatalogue([tool]),
  );
  if (verdict.kind === 'refuse') throw new Error(verdict.output);
  return tool.run(verdict.input, {
    tenantId,
    executionId: EXECUTION,
    sessionId: '0193a000-0000-7000-8000-0000000000ff',
    scope: '',
    executor: null,
    idempotencyKey: `${EXECUTION}.1.0`,
    signal: new AbortController().signal,
    events: { progress: () => undefined },
  });
}
