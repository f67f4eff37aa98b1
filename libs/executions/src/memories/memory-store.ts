import type { MemoryView } from './memory.js';

/** A fact with the number of its last change. */
export interface VersionedMemory {
  readonly view: MemoryView;
  readonly version: number;
}

export interface MemoryFilter {
  readonly executorId?: string | undefined;
  readonly agentId?: number | undefined;
  readonly afterId?: number | undefined;
  readonly limit: number;
}

/** `exists`: the executor has this fact already. `too_many`: there are `MAX_MEMORIES` already. */
export type MemoryCreation =
  | ({ readonly kind: 'created' } & VersionedMemory)
  | { readonly kind: 'exists' }
  | { readonly kind: 'too_many' };

export type MemoryChange =
  | ({ readonly kind: 'changed' } & VersionedMemory)
  | { readonly kind: 'not_found' }
  | { readonly kind: 'other_version' }
  | { readonly kind: 'exists' };

/**
 * What is remembered of executors, in the hands of persons. What they write no job changes, and what they change or delete
 * none brings back. Everything is one transaction.
 */
export abstract class MemoryStore {
  /** By id, ascending; as many as `limit`, and perhaps fewer where they are long. */
  abstract list(
    tenantId: string,
    filter: MemoryFilter,
  ): Promise<{ readonly rows: readonly MemoryView[]; readonly hasMore: boolean }>;

  abstract find(tenantId: string, id: number): Promise<VersionedMemory | null>;

  abstract create(tenantId: string, executorId: string, text: string): Promise<MemoryCreation>;

  /** @param expected versions that may be changed; null means any */
  abstract change(
    tenantId: string,
    id: number,
    text: string,
    expected: readonly number[] | null,
  ): Promise<MemoryChange>;

  abstract delete(
    tenantId: string,
    id: number,
    expected: readonly number[] | null,
  ): Promise<'deleted' | 'not_found' | 'other_version'>;

  /**
   * Everything that is remembered of an executor, with what was to be learnt of executions that were accepted by now:
   * whatever is under way brings nothing of it back.
   */
  abstract forget(tenantId: string, executorId: string): Promise<void>;
}
