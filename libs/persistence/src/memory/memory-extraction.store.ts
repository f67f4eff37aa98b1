import type { UsageRecord } from '#libs/agent-core';
import {
  isLearntForeign,
  judgeProposal,
  memoryKey,
  MemoryExtractionStore,
  type ClaimedExtraction,
  type DueExtraction,
  type ExtractionDispatchOptions,
  type KeptFact,
  type MemoryProposal,
  type MemoryWrites,
  type UnlearntOutcome,
} from '#libs/executions';
import { toStorableJson, type JsonObject } from '#libs/kernel';
import { readMemorySettings } from '#libs/policy';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import {
  CLAIM_EXTRACTION_SQL,
  OVERDUE_EXTRACTION_SQL,
  TAKE_EXTRACTIONS_SQL,
} from './memory-extraction-sql.js';
import { hashOfKey, IS_PINNED, keyHashOf, lockExecutor } from './memory-rows.js';
import { insertUsageSql, toUsageRow } from '../executions/usage-rows.js';

/** What is still to be learnt of executions, in PostgreSQL. */
export class PostgresExtractions extends MemoryExtractionStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async take(options: ExtractionDispatchOptions): Promise<DueExtraction[]> {
    const { queueTarget, tenantTarget, redispatchAfterMs } = options;
    const rows = await queryRows<{ execution_id: string }>(this.dataSource, TAKE_EXTRACTIONS_SQL, [
      ...[queueTarget, tenantTarget, redispatchAfterMs],
    ]);
    return rows.map(({ execution_id: executionId }) => ({ executionId }));
  }

  override async requeue(due: readonly DueExtraction[]): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE memory_extraction SET dispatched_at = NULL WHERE execution_id = ANY($1::uuid[]) AND ended_at IS NULL
        RETURNING 1`,
      [due.map(({ executionId }) => executionId)],
    );
  }

  override async claim(
    executionId: string,
    token: string,
    leaseMs: number,
  ): Promise<ClaimedExtraction | null> {
    const [row] = await queryRows<Omit<ClaimedExtraction, 'settings'> & { config: JsonObject }>(
      this.dataSource,
      CLAIM_EXTRACTION_SQL,
      [executionId, token, leaseMs],
    );
    if (row === undefined) return null;
    const { config, ...claimed } = row;
    return { ...claimed, settings: readMemorySettings(config) };
  }

  override learn(
    claimed: ClaimedExtraction,
    proposal: MemoryProposal,
    usage: readonly UsageRecord[],
  ): Promise<'learnt' | 'lost'> {
    return this.write(claimed, usage, async (manager) => {
      await lockExecutor(manager, claimed.tenantId, claimed.executorId);
      if (!(await close(manager, claimed, 'learnt'))) return 'lost';
      const facts = await readFacts(manager, claimed);
      const unwanted = await findUnwanted(manager, claimed, proposal);
      const isUnwanted = (key: string): boolean => unwanted.has(hexOf(key));
      const writes = judgeProposal(facts, isUnwanted, proposal, claimed.settings.max_facts);
      await apply(manager, claimed, writes, isLearntForeign(claimed, facts));
      return 'learnt';
    });
  }

  override async end(
    claimed: ClaimedExtraction,
    outcome: UnlearntOutcome,
    usage: readonly UsageRecord[],
  ): Promise<void> {
    await this.write(claimed, usage, (manager) => close(manager, claimed, outcome));
  }

  override async putOff(
    { executionId, token, tryNumber, ...claimed }: ClaimedExtraction,
    delayMs: number,
    usage: readonly UsageRecord[],
  ): Promise<void> {
    await this.write({ executionId, ...claimed }, usage, (manager) =>
      queryRows(
        manager,
        `UPDATE memory_extraction
            SET due_at = now() + $3 * interval '1 millisecond', recorded_try = $4, claim_token = NULL,
                lease_expires_at = NULL, dispatched_at = NULL
          WHERE execution_id = $1 AND claim_token = $2 AND ended_at IS NULL RETURNING 1`,
        [executionId, token, delayMs, tryNumber],
      ),
    );
  }

  /** With what it has cost. The session is locked first, as by everybody who settles or deletes. */
  private write<Result>(
    { executionId, tenantId, agentId }: Pick<ClaimedExtraction, 'executionId' | 'tenantId' | 'agentId'>,
    usage: readonly UsageRecord[],
    change: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      const [session] = await queryRows<{ id: string }>(
        manager,
        `SELECT id FROM chat_session WHERE id = (SELECT session_id FROM execution WHERE id = $1) FOR KEY SHARE`,
        [executionId],
      );
      const result = await change(manager);
      const rows = JSON.stringify(toStorableJson(usage.map(toUsageRow)));
      const parameters = [executionId, tenantId, agentId, session?.id ?? null, rows];
      if (usage.length > 0) await queryRows(manager, RECORD_SQL, parameters);
      return result;
    });
  }
}

/** Whether something could have been learnt for so long, and was not. */
export async function isExtractionOverdue(
  manager: Pick<DataSource, 'query'>,
  { forMs }: { readonly forMs: number },
): Promise<boolean> {
  return (await queryRows(manager, OVERDUE_EXTRACTION_SQL, [forMs])).length > 0;
}

const RECORD_SQL = `${insertUsageSql({
  execution: '$1::uuid',
  tenant: '$2::text',
  agent: '$3::int',
  session: '$4::uuid',
  rows: '$5',
})} RETURNING 1`;

type Owner = Pick<ClaimedExtraction, 'tenantId' | 'executorId'>;

/** Whether it was still the caller's. */
async function close(
  manager: EntityManager,
  { executionId, token }: ClaimedExtraction,
  outcome: UnlearntOutcome | 'learnt',
): Promise<boolean> {
  const rows = await queryRows(
    manager,
    `UPDATE memory_extraction SET ended_at = now(), outcome = $3, claim_token = NULL, lease_expires_at = NULL
      WHERE execution_id = $1 AND claim_token = $2 AND ended_at IS NULL RETURNING 1`,
    [executionId, token, outcome],
  );
  return rows.length > 0;
}

function readFacts(manager: EntityManager, { tenantId, executorId }: Owner): Promise<KeptFact[]> {
  return queryRows<KeptFact>(
    manager,
    `SELECT id, text, ${IS_PINNED} AS "isPinned", is_foreign AS "isForeign" FROM memory
      WHERE tenant_id = $1 AND executor_id = $2 ORDER BY updated_at, id`,
    [tenantId, executorId],
  );
}

/** Hashes of those facts of a proposal that a person has changed or deleted. */
async function findUnwanted(
  manager: EntityManager,
  { tenantId, executorId }: Owner,
  { remember, update }: MemoryProposal,
): Promise<ReadonlySet<string>> {
  const hashes = [...remember, ...update.map(({ text }) => text)].map((text) => hexOf(memoryKey(text)));
  const rows = await queryRows<{ hash: string }>(
    manager,
    `SELECT encode(key_hash, 'hex') AS hash FROM unwanted_memory
      WHERE tenant_id = $1 AND executor_id = $2 AND encode(key_hash, 'hex') = ANY($3::text[])`,
    [tenantId, executorId, hashes],
  );
  return new Set(rows.map(({ hash }) => hash));
}

function hexOf(key: string): string {
  return hashOfKey(key).toString('hex');
}

async function apply(
  manager: EntityManager,
  { tenantId, executorId, agentId, executionId }: ClaimedExtraction,
  { inserted, updated, deleted }: MemoryWrites,
  isForeign: boolean,
): Promise<void> {
  await queryRows(manager, `DELETE FROM memory WHERE tenant_id = $1 AND id = ANY($2::int[])`, [
    ...[tenantId, deleted],
  ]);
  for (const { id, text } of updated) {
    await queryRows(
      manager,
      `UPDATE memory SET text = $3, key_hash = $4, agent_id = $5, execution_id = $6, is_foreign = $7, version = version + 1,
              updated_at = clock_timestamp()
        WHERE tenant_id = $1 AND id = $2 RETURNING 1`,
      [tenantId, id, text, keyHashOf(text), agentId, executionId, isForeign],
    );
  }
  for (const text of inserted) {
    await queryRows(
      manager,
      `INSERT INTO memory (tenant_id, executor_id, text, key_hash, origin, agent_id, execution_id, is_foreign, updated_at)
       VALUES ($1, $2, $3, $4, 'extraction', $5, $6, $7, clock_timestamp()) RETURNING 1`,
      [tenantId, executorId, text, keyHashOf(text), agentId, executionId, isForeign],
    );
  }
}
