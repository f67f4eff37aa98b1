import type { MemoryView } from './memory.js';

/** Fact with its version number. */
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

/** `exists`: the executor already has this fact. `too_many`: the executor has `MAX_MEMORIES` facts. */
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
 * Facts about executors, as people edit them. Jobs never change facts that a person wrote, and never restore facts that a
 * person changed or deleted. Each method is one transaction.
 */
export abstract class MemoryStore {
  /** Ordered by id, ascending; at most `limit` rows, and fewer if the texts are long. */
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
   * Deletes all facts about an executor, together with pending extractions of executions accepted so far: running
   * extractions cannot restore them.
   */
  abstract forget(tenantId: string, executorId: string): Promise<void>;
}
