import type { UsageRecord } from '#libs/agent-core';
import {
  isLearntForeign,
  evaluateProposal,
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
import { Any, IsNull, type DataSource, type EntityManager } from 'typeorm';
import { MemoryExtractionEntity } from '../entities/memory-extraction.entity.js';
import { MemoryEntity } from '../entities/memory.entity.js';
import { UnwantedMemoryEntity } from '../entities/unwanted-memory.entity.js';
import { queryRows } from '../sql.js';
import {
  CLAIM_EXTRACTION_SQL,
  OVERDUE_EXTRACTION_SQL,
  TAKE_EXTRACTIONS_SQL,
} from './memory-extraction-sql.js';
import { hashOfKey, keyHashOf, lockExecutor } from './memory-rows.js';
import { insertUsageSql, toUsageRow } from '../executions/usage-rows.js';

/**
 * Pending extractions of memories. Taking and claiming them is SQL: one statement chooses by the order of an executor and
 * the shares of tenants, and skips rows that another process holds.
 */
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
    const executionId = Any(due.map((each) => each.executionId));
    const extractions = this.dataSource.getRepository(MemoryExtractionEntity);
    await extractions.update({ executionId, endedAt: IsNull() }, { dispatchedAt: null });
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
      const writes = evaluateProposal(facts, isUnwanted, proposal, claimed.settings.max_facts);
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

  /** Writes a change with its usage. The session is locked first, as in the transactions that settle and delete. */
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

/** True where an extraction has been due and unclaimed for `forMs` milliseconds. */
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

/** Ends an extraction; false if its claim is lost. */
async function close(
  manager: EntityManager,
  { executionId, token: claimToken }: ClaimedExtraction,
  outcome: UnlearntOutcome | 'learnt',
): Promise<boolean> {
  const held = { executionId, claimToken, endedAt: IsNull() };
  const ended = { endedAt: () => 'now()', outcome, claimToken: null, leaseExpiresAt: null };
  const { affected } = await manager.update(MemoryExtractionEntity, held, ended);
  return affected !== 0;
}

async function readFacts(manager: EntityManager, { tenantId, executorId }: Owner): Promise<KeptFact[]> {
  const where = { tenantId, executorId };
  const facts = await manager.find(MemoryEntity, { where, order: { updatedAt: 'ASC', id: 'ASC' } });
  return facts.map(({ id, text, origin, isEdited, isForeign }) => {
    return { id, text, isPinned: origin === 'person' || isEdited, isForeign };
  });
}

/** Hashes of the facts in a proposal that a person has changed or deleted. */
async function findUnwanted(
  manager: EntityManager,
  { tenantId, executorId }: Owner,
  { remember, update }: MemoryProposal,
): Promise<ReadonlySet<string>> {
  const keyHash = Any([...remember, ...update.map(({ text }) => text)].map(keyHashOf));
  const unwanted = await manager.findBy(UnwantedMemoryEntity, { tenantId, executorId, keyHash });
  return new Set(unwanted.map((fact) => fact.keyHash.toString('hex')));
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
  const memories = manager.getRepository(MemoryEntity);
  const learnt = { agentId, executionId, isForeign, updatedAt: () => 'clock_timestamp()' };
  await memories.delete({ tenantId, id: Any(deleted) });
  for (const { id, text } of updated) {
    const fact = { text, keyHash: keyHashOf(text), version: () => 'version + 1' };
    await memories.update({ tenantId, id }, { ...fact, ...learnt });
  }
  for (const text of inserted) {
    const fact = { tenantId, executorId, text, keyHash: keyHashOf(text), origin: 'extraction' } as const;
    await memories
      .createQueryBuilder()
      .insert()
      .values({ ...fact, ...learnt })
      .execute();
  }
}
