import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { memoryKey } from '#libs/executions';
import { UnwantedMemoryEntity } from '../entities/unwanted-memory.entity.js';
import { queryRows, type Queryable } from '../sql.js';

/** A person wrote or changed it. */
export const IS_PINNED = `(origin = 'person' OR is_edited)`;
/** A row of `memory` as a {@link KeptFact}. */
export const FACT_OBJECT = `jsonb_build_object('id', id, 'text', text, 'isPinned', ${IS_PINNED}, 'isForeign', is_foreign)`;

/** What two writings of one fact have in common. */
export function keyHashOf(text: string): Buffer {
  return hashOfKey(memoryKey(text));
}

export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Under which an executor is known of whom everything was forgotten. */
export function executorHashOf(tenantId: string, executorId: string): Buffer {
  return createHash('sha256').update(`${tenantId}\n${executorId}`).digest();
}

/** The same of the columns of a row. */
export const executorHashSql = (row: string): string =>
  `sha256(convert_to(${row}.tenant_id || E'\\n' || ${row}.executor_id, 'UTF8'))`;

/** Until the transaction ends, nobody else writes what is remembered of the executor. */
export async function lockExecutor(manager: Queryable, tenantId: string, executorId: string): Promise<void> {
  const key = executorHashOf(tenantId, executorId).readInt32BE(0);
  await queryRows(manager, `SELECT pg_advisory_xact_lock(hashtext('memory'), $1::int)::text`, [key]);
}

/** Facts that a person has changed or deleted; of one executor only the newest are kept. */
const MOST_UNWANTED = 1_000;

/** What somebody may want to be remembered of an executor, or not. */
interface ExecutorFact {
  readonly tenantId: string;
  readonly executorId: string;
  readonly text: string;
}

/** No job brings this fact back. */
export async function rejectFact(
  manager: EntityManager,
  { tenantId, executorId, text }: ExecutorFact,
): Promise<void> {
  const unwanted = manager.createQueryBuilder(UnwantedMemoryEntity, 'unwanted');
  await unwanted
    .insert()
    .values({ tenantId, executorId, keyHash: keyHashOf(text) })
    .orUpdate(['created_at'], ['tenant_id', 'executor_id', 'key_hash'])
    .execute();
  await manager
    .createQueryBuilder(UnwantedMemoryEntity, 'unwanted')
    .delete()
    .where({ tenantId, executorId })
    .andWhere(IS_BEYOND_LIMIT, { tenantId, executorId })
    .execute();
}

const IS_BEYOND_LIMIT = `key_hash IN (
  SELECT key_hash FROM unwanted_memory WHERE tenant_id = :tenantId AND executor_id = :executorId
   ORDER BY created_at DESC OFFSET ${MOST_UNWANTED})`;

/** A person wants it after all. */
export async function acceptFact(
  manager: EntityManager,
  { tenantId, executorId, text }: ExecutorFact,
): Promise<void> {
  await manager.delete(UnwantedMemoryEntity, { tenantId, executorId, keyHash: keyHashOf(text) });
}
