import { expect, it } from '@jest/globals';
import { createDataSource } from '#libs/persistence';
import { wholeDatabase } from '../../../apps/migrate/src/database.js';
import { migrate } from '../../../apps/migrate/src/migrate.js';
import { schemaDrift } from '../../../apps/migrate/src/schema-drift.js';
import { createTestDatabase } from '../../support/services/test-database.js';

const SESSION = '00000000-0000-7000-8000-000000000001';

it('migrations and entities agree', async () => {
  const database = await createTestDatabase();
  try {
    expect(await schemaDrift(database.url)).toEqual([]);
  } finally {
    await database.drop();
  }
});

it('many processes may migrate at once: each migration runs once', async () => {
  const database = await createTestDatabase();
  try {
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)));
    expect(runs.filter((applied) => applied.length > 0)).toHaveLength(1);
  } finally {
    await database.drop();
  }
});

it('every migration can be taken back', async () => {
  const database = await createTestDatabase();
  const applied = await migrate(database.url);
  const dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
  try {
    for (const _migration of applied) await dataSource.undoLastMigration();
    const tables: unknown = await dataSource.query(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(tables).toEqual([{ tablename: 'schema_migration' }]);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});

it('every table carries tenant_id, but tenants, live events, rate limits, indexes of vectors and the list of workers', async () => {
  const database = await createTestDatabase();
  await migrate(database.url);
  const dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
  try {
    const lacking: unknown = await dataSource.query(
      `SELECT t.tablename FROM pg_tables t WHERE t.schemaname = 'public' AND NOT EXISTS (
         SELECT 1 FROM information_schema.columns c WHERE c.table_name = t.tablename AND c.column_name = 'tenant_id')
       ORDER BY 1`,
    );
    expect(lacking).toEqual(
      ['execution_event', 'rate_limit', 'schema_migration', 'tenant', 'vector_index', 'worker'].map(
        (tablename) => ({
          tablename,
        }),
      ),
    );
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});

it('agents and executions that are there when versions come have one', async () => {
  const database = await createTestDatabase();
  const applied = await migrate(database.url);
  const dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
  try {
    const since = applied.length - applied.indexOf('AddAgentVersions1764000000021');
    for (let undone = 0; undone < since; undone += 1) await dataSource.undoLastMigration();
    await dataSource.query(`
      INSERT INTO llm (id, tenant_id, name, provider, model) VALUES (1, 'a', 'm', 'openai', 'm');
      INSERT INTO agent (id, tenant_id, name, usecase_type, llm_id, version) VALUES (1, 'a', 'old', 'BASIC_CHAT', 1, 7);
      INSERT INTO chat_session (id, tenant_id, agent_id) VALUES ('${SESSION}', 'a', 1);
      INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, status) VALUES
        (gen_random_uuid(), 'a', 1, '${SESSION}', 1, '{}', 'completed'), (gen_random_uuid(), 'a', 1, '${SESSION}', 2, '{}', 'queued')`);

    await dataSource.runMigrations();

    expect(await dataSource.query('SELECT agent_id, version, tenant_id, name FROM agent_version')).toEqual([
      { agent_id: 1, version: 7, tenant_id: 'a', name: 'old' },
    ]);
    expect(await dataSource.query('SELECT agent_version FROM execution ORDER BY turn_number')).toEqual([
      { agent_version: null },
      { agent_version: 7 },
    ]);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});

it('tenants that were only ids become rows, and `default` is one of them', async () => {
  const database = await createTestDatabase();
  const applied = await migrate(database.url);
  const dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
  try {
    const since = applied.length - applied.indexOf('AddTenantsAndSkills1764000000020');
    for (let undone = 0; undone < since; undone += 1) await dataSource.undoLastMigration();
    await dataSource.query(`
      INSERT INTO api_key (id, tenant_id, name, secret_sha256, scopes) VALUES ('1', 'of a key', 'k', '', '{}');
      INSERT INTO llm (id, tenant_id, name, provider, model) VALUES (1, 'of-a-model', 'm', 'openai', 'm');
      INSERT INTO agent (tenant_id, name, usecase_type, llm_id) VALUES ('of-an-agent', 'a', 'BASIC_CHAT', 1);
      INSERT INTO chat_session (id, tenant_id) VALUES ('${SESSION}', 'of-a-session')`);

    await dataSource.runMigrations();

    const ids = ['default', 'of a key', 'of-a-model', 'of-a-session', 'of-an-agent'];
    expect(await dataSource.query(`SELECT id, name, status FROM tenant ORDER BY id COLLATE "C"`)).toEqual(
      ids.map((id) => ({ id, name: id, status: 'active' })),
    );
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});

it('keys that could decide over tool calls, before that was a scope, still can', async () => {
  const database = await createTestDatabase();
  const applied = await migrate(database.url);
  const dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
  try {
    const since = applied.length - applied.indexOf('AddRateLimits1764000000016');
    for (let undone = 0; undone < since; undone += 1) await dataSource.undoLastMigration();
    await dataSource.query(
      `INSERT INTO api_key (id, tenant_id, name, secret_sha256, scopes) VALUES
         ('1', 'a', 'runs', '', '{executions:write,audit:read}'), ('2', 'a', 'reads', '', '{executions:read}')`,
    );

    await dataSource.runMigrations();

    expect(await dataSource.query('SELECT scopes FROM api_key ORDER BY id')).toEqual([
      { scopes: ['executions:write', 'audit:read', 'approvals:decide'] },
      { scopes: ['executions:read'] },
    ]);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
