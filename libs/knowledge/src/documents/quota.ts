/** Storage limits of a tenant. */
export interface KnowledgeQuota {
  readonly documents: number;
  /** Total bytes of all originals, without replaced generations. */
  readonly bytes: number;
  readonly chunks: number;
}

/** Storage used by a tenant. */
export type KnowledgeUse = KnowledgeQuota;

/** The limit that would be exceeded. */
export type OverQuota = keyof KnowledgeQuota;

/** The first limit exceeded by the additional use; null if none is. Pure. */
export function findOverQuota(
  quota: KnowledgeQuota,
  use: KnowledgeUse,
  more: Partial<KnowledgeUse>,
): OverQuota | null {
  const bounds: readonly OverQuota[] = ['documents', 'bytes', 'chunks'];
  return (
    bounds.find((bound) => (more[bound] ?? 0) > 0 && use[bound] + (more[bound] ?? 0) > quota[bound]) ?? null
  );
}
