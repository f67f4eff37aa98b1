import { afterAll, beforeAll, describe } from '@jest/globals';
import { PostgresExtractions, PostgresMemories } from '#libs/persistence';
import { PersistenceWorld } from '../../integration/persistence/persistence-world.js';
import { ExecutionSteps } from '../executions/execution-steps.js';
import { executionsInPostgres } from '../executions/postgres-backend.js';
import { describeExtractions } from './extractions.contract.js';
import { describeMemories } from './memories.contract.js';
import type { MemoriesBackend, Turn } from './memories-backend.js';
import { emptyTables } from '../../support/services/empty-tables.js';

describe('memories in PostgreSQL', () => {
  let world: PersistenceWorld;
  beforeAll(async () => {
    world = await PersistenceWorld.open();
    await addTenant(world);
  });
  afterAll(() => world.close());
  const start = () => inPostgres(world);
  describe('a memory', () => describeMemories(start));
  describe('learning', () => describeExtractions(start));
});

const AGENT = { default: 1, other: 900 };
const INPUT = 'hello';

async function addTenant({ dataSource }: PersistenceWorld): Promise<void> {
  await dataSource.query(`INSERT INTO tenant (id, name) VALUES ('other', 'o')`);
  await dataSource.query(
    `WITH model AS (INSERT INTO llm (tenant_id, name, provider, model) VALUES ('other', 'm', 'openai', 'm') RETURNING id)
     INSERT INTO agent (id, tenant_id, name, usecase_type, llm_id) SELECT $1, 'other', 'a', 'BASIC_CHAT', id FROM model`,
    [AGENT.other],
  );
}

/** Stores on PostgreSQL, emptied of the memories and executions of the previous test. */
async function inPostgres(world: PersistenceWorld): Promise<MemoriesBackend> {
  const { dataSource } = world;
  const steps = new ExecutionSteps(await executionsInPostgres(world));
  await emptyTables(
    dataSource,
    ...['memory', 'unwanted_memory', 'forgotten_executor', 'memory_extraction', 'usage_log'],
  );
  const accept = async (turn: Turn) => {
    const { tenantId = 'default', executorId = 'mara', input = INPUT, status = 'completed' } = turn;
    const { hasForeign = false } = turn;
    const executor = executorId === null ? {} : { executor: { user_id: executorId, name: 'n', email: 'e' } };
    const request = { input, options: {}, additional_data: {}, ...executor };
    const accepted = await steps.accept({ tenantId, agentId: AGENT[tenantId], request });
    const end = async (): Promise<void> => {
      await steps.settle(await steps.claim(accepted), { status, error: null, hasForeign });
    };
    return { executionId: accepted.id, end };
  };
  const change = async (executionId: string, assignment: string): Promise<void> => {
    await dataSource.query(`UPDATE memory_extraction SET ${assignment} WHERE execution_id = $1`, [
      executionId,
    ]);
  };
  return {
    ...{
      memories: new PostgresMemories(dataSource),
      extractions: new PostgresExtractions(dataSource),
      accept,
    },
    configure: async (config) => {
      await dataSource.query(`UPDATE agent SET config = $1`, [JSON.stringify(config)]);
    },
    endLease: (executionId) => change(executionId, `lease_expires_at = now() - interval '1 second'`),
    endDelay: (executionId) => change(executionId, `due_at = now()`),
    outcomeOf: async (executionId) => {
      const rows: { outcome: string | null }[] = await dataSource.query(
        `SELECT outcome FROM memory_extraction WHERE execution_id = $1`,
        [executionId],
      );
      return rows[0]?.outcome ?? null;
    },
    usage: (executionId) =>
      dataSource.query(
        `SELECT try_number AS try, state, total_tokens::int AS tokens FROM usage_log
          WHERE execution_id = $1 AND purpose = 'memory' ORDER BY try_number`,
        [executionId],
      ),
  };
}
