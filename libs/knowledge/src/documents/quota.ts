/** What a tenant may keep. */
export interface KnowledgeQuota {
  readonly documents: number;
  /** Of all originals together, those of generations that are not searched any more left out. */
  readonly bytes: number;
  readonly chunks: number;
}

/** What a tenant keeps. */
export type KnowledgeUse = KnowledgeQuota;

/** Which bound would be broken. */
export type OverQuota = keyof KnowledgeQuota;

/** Pure: the first bound that is broken by what comes in addition; null where all hold. */
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
