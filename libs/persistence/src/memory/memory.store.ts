import {
  MemoryStore,
  toMemoryText,
  type MemoryChange,
  type MemoryCreation,
  type MemoryFilter,
  type MemoryView,
  type VersionedMemory,
} from '#libs/executions';
import { MAX_MEMORIES } from '#libs/policy';
import { IsNull, MoreThan, Not, type DataSource, type EntityManager, type Repository } from 'typeorm';
import { ForgottenExecutorEntity } from '../entities/forgotten-executor.entity.js';
import { MemoryExtractionEntity } from '../entities/memory-extraction.entity.js';
import { MemoryEntity } from '../entities/memory.entity.js';
import { UnwantedMemoryEntity } from '../entities/unwanted-memory.entity.js';
import {
  entityPageQuery,
  mapRows,
  readEntities,
  type PageQuery,
  type RowsOfPage,
} from '../rows/bounded-page.js';
import { changedView, changeVersioned, insertRow, versionedView } from '../rows/versioned-repository.js';
import type { ExpectedVersions } from '../rows/versioned.js';
import { acceptFact, executorHashOf, keyHashOf, lockExecutor, rejectFact } from './memory-rows.js';

/** Memories of executors, in PostgreSQL. */
export class PostgresMemories extends MemoryStore {
  private readonly memories: Repository<MemoryEntity>;

  constructor(private readonly dataSource: DataSource) {
    super();
    this.memories = dataSource.getRepository(MemoryEntity);
  }

  override async list(tenantId: string, filter: MemoryFilter): Promise<RowsOfPage<MemoryView>> {
    const page = listMemoriesQuery(this.dataSource, tenantId, filter);
    return mapRows(await readEntities(this.memories, page), toView);
  }

  override async find(tenantId: string, id: number): Promise<VersionedMemory | null> {
    const memory = await this.memories.findOneBy({ tenantId, id });
    return memory && versionedView(memory, toView);
  }

  override create(tenantId: string, executorId: string, given: string): Promise<MemoryCreation> {
    const text = toMemoryText(given);
    return this.dataSource.transaction(async (manager) => {
      await lockExecutor(manager, tenantId, executorId);
      const memories = manager.getRepository(MemoryEntity);
      const keyHash = keyHashOf(text);
      if (await memories.existsBy({ tenantId, executorId, keyHash })) return { kind: 'exists' };
      if ((await memories.countBy({ tenantId, executorId })) >= MAX_MEMORIES) return { kind: 'too_many' };
      await acceptFact(manager, { tenantId, executorId, text });
      const made = await insertRow(memories, { tenantId, executorId, text, keyHash, origin: 'person' });
      return { kind: 'created', ...versionedView(made, toView) };
    });
  }

  override change(
    tenantId: string,
    id: number,
    given: string,
    expected: ExpectedVersions,
  ): Promise<MemoryChange> {
    const text = toMemoryText(given);
    return this.withFact(tenantId, id, expected, async (manager, found): Promise<MemoryChange> => {
      const { executorId, origin } = found;
      const memories = manager.getRepository(MemoryEntity);
      const keyHash = keyHashOf(text);
      if (await memories.existsBy({ tenantId, executorId, keyHash, id: Not(id) })) return { kind: 'exists' };
      await rejectFact(manager, found);
      await acceptFact(manager, { tenantId, executorId, text });
      const values = { text, keyHash, isEdited: origin === 'extraction', isForeign: false };
      return changedView(await changeVersioned(memories, { tenantId, id }, values, null), toView);
    });
  }

  override async delete(
    tenantId: string,
    id: number,
    expected: ExpectedVersions,
  ): Promise<'deleted' | 'not_found' | 'other_version'> {
    const { kind } = await this.withFact(tenantId, id, expected, async (manager, found) => {
      await rejectFact(manager, found);
      await manager.delete(MemoryEntity, { tenantId, id });
      return { kind: 'deleted' as const };
    });
    return kind;
  }

  override async forget(tenantId: string, executorId: string): Promise<void> {
    const executorHash = executorHashOf(tenantId, executorId);
    await this.dataSource.transaction(async (manager) => {
      await lockExecutor(manager, tenantId, executorId);
      await manager
        .createQueryBuilder(ForgottenExecutorEntity, 'forgotten')
        .insert()
        .values({ tenantId, executorHash, forgottenAt: () => 'clock_timestamp()' })
        .orUpdate(['forgotten_at'], ['tenant_id', 'executor_hash'])
        .execute();
      // An execution that was accepted before and settles later is skipped when its extraction is claimed.
      const ended = { endedAt: () => 'now()', outcome: 'skipped', claimToken: null, leaseExpiresAt: null };
      await manager.update(MemoryExtractionEntity, { tenantId, executorId, endedAt: IsNull() }, ended);
      await manager.delete(MemoryEntity, { tenantId, executorId });
      await manager.delete(UnwantedMemoryEntity, { tenantId, executorId });
    });
  }

  /** Runs `write` under the lock of the executor that the fact is about. */
  private withFact<Result>(
    tenantId: string,
    id: number,
    expected: ExpectedVersions,
    write: (manager: EntityManager, found: MemoryEntity) => Promise<Result>,
  ): Promise<Result | { readonly kind: 'not_found' } | { readonly kind: 'other_version' }> {
    return this.dataSource.transaction(async (manager) => {
      const seen = await manager.findOneBy(MemoryEntity, { tenantId, id });
      if (seen === null) return { kind: 'not_found' };
      await lockExecutor(manager, tenantId, seen.executorId);
      const found = await manager.findOneBy(MemoryEntity, { tenantId, id });
      if (found === null) return { kind: 'not_found' };
      if (expected !== null && !expected.includes(found.version)) return { kind: 'other_version' };
      return write(manager, found);
    });
  }
}

/** Statement of a list. */
export function listMemoriesQuery(
  dataSource: DataSource,
  tenantId: string,
  { executorId, agentId, afterId = 0, limit }: MemoryFilter,
): PageQuery {
  const memories = dataSource.getRepository(MemoryEntity);
  const list = memories.createQueryBuilder('memory').where({ tenantId, id: MoreThan(afterId) });
  if (executorId !== undefined) list.andWhere({ executorId });
  if (agentId !== undefined) list.andWhere({ agentId });
  return entityPageQuery(memories, list, { orderBy: 'id', limit });
}

function toView(memory: MemoryEntity): MemoryView {
  const { id, executorId, agentId, text, origin, isEdited, isForeign, executionId } = memory;
  return {
    ...{ id, executor_id: executorId, agent_id: agentId, text, origin },
    ...{ is_edited: isEdited, is_foreign: isForeign, execution_id: executionId },
    created_at: memory.createdAt.toISOString(),
    updated_at: memory.updatedAt.toISOString(),
  };
}
