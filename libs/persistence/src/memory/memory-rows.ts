import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { memoryKey } from '#libs/executions';
import { UnwantedMemoryEntity } from '../entities/unwanted-memory.entity.js';
import { queryRows, type Queryable } from '../sql.js';

/** True for a fact that a person wrote or changed. */
export const IS_PINNED = `(origin = 'person' OR is_edited)`;
/** A row of `memory` as a {@link KeptFact}. */
export const FACT_OBJECT = `jsonb_build_object('id', id, 'text', text, 'isPinned', ${IS_PINNED}, 'isForeign', is_foreign)`;

/** Hash that is the same for all spellings of one fact. */
export function keyHashOf(text: string): Buffer {
  return hashOfKey(memoryKey(text));
}

export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Hash under which a forgotten executor is stored. */
export function executorHashOf(tenantId: string, executorId: string): Buffer {
  return createHash('sha256').update(`${tenantId}\n${executorId}`).digest();
}

/** {@link executorHashOf} in SQL, of the columns of a row. */
export const executorHashSql = (row: string): string =>
  `sha256(convert_to(${row}.tenant_id || E'\\n' || ${row}.executor_id, 'UTF8'))`;

/** Locks the memories of an executor until the transaction ends. */
export async function lockExecutor(manager: Queryable, tenantId: string, executorId: string): Promise<void> {
  const key = executorHashOf(tenantId, executorId).readInt32BE(0);
  await queryRows(manager, `SELECT pg_advisory_xact_lock(hashtext('memory'), $1::int)::text`, [key]);
}

/** Maximum rejected facts of one executor; the oldest are deleted. */
const MAX_UNWANTED = 1_000;

/** A fact about an executor that a person rejects or accepts. */
interface ExecutorFact {
  readonly tenantId: string;
  readonly executorId: string;
  readonly text: string;
}

/** Keeps extractions from writing this fact again. */
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
   ORDER BY created_at DESC OFFSET ${MAX_UNWANTED})`;

/** Lets extractions write this fact again. */
export async function acceptFact(
  manager: EntityManager,
  { tenantId, executorId, text }: ExecutorFact,
): Promise<void> {
  await manager.delete(UnwantedMemoryEntity, { tenantId, executorId, keyHash: keyHashOf(text) });
}
