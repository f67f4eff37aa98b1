import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toDomain } from '#libs/project';
import {
  DomainCatalogue,
  evaluateToolCall,
  ToolCatalogue,
  type ToolDefinition,
  type ToolReturn,
} from '#libs/tooling';
import { DataSource } from 'typeorm';
import { supportDesk } from '../../../examples/support-desk/capstan/domains/support-desk/index.ts';
import type { TestDatabase } from '../../support/services/test-database.js';

export const TENANT = 'a-shop';
/** A tenant that owns nothing. */
export const STRANGER = 'stranger';
export const EXECUTION = '0193a000-0000-7000-8000-000000000001';
export const OTHER_EXECUTION = '0193a000-0000-7000-8000-000000000002';

const MIGRATIONS = join(
  import.meta.dirname,
  '../../../examples/support-desk/capstan/domains/support-desk/migrations',
);

/** The support desk of the examples, as the service loads it from the project. */
export const DOMAIN = toDomain(
  supportDesk,
  readdirSync(MIGRATIONS).map((name) => ({ name, sql: readFileSync(join(MIGRATIONS, name), 'utf8') })),
);

/** Opens a pool on a database with the tables of the support desk only. */
export async function openSupportDesk({ url }: Pick<TestDatabase, 'url'>): Promise<DataSource> {
  const dataSource = new DataSource({ type: 'postgres', url, migrations: [...DOMAIN.migrations] as never[] });
  await dataSource.initialize();
  await dataSource.runMigrations();
  return dataSource;
}

type Running = NonNullable<Parameters<typeof DOMAIN.tools>[0]['running']>;

/** A tool of the support desk on this database. */
export function toolOf(
  { manager }: Pick<DataSource, 'manager'>,
  name: string,
  running: Running,
): ToolDefinition {
  const tool = new DomainCatalogue([DOMAIN]).tools({ manager, running }).find((each) => each.name === name);
  if (tool === undefined) throw new Error(`the support desk has no tool ${name}`);
  return tool;
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
