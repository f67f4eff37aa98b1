/** What there is to search. */
export interface SearchSizes {
  /** Live chunks of the datasources that are asked. */
  readonly chunks: number;
  /** Of the same model and length, of whichever tenant, that the index has; null where there is no index. */
  readonly vectors: number | null;
}

/** From where on an index is asked, and how far. */
export interface ScanBounds {
  /** So many chunks are compared one by one sooner than they are found by an index. */
  readonly exactUpTo: number;
  /** Chunks that no index has yet, and that are compared one by one beside it. */
  readonly mostBehind: number;
  /** Vectors that one scan may look at. */
  readonly mostScanned: number;
}

export const SCAN_BOUNDS: ScanBounds = { exactUpTo: 5_000, mostBehind: 5_000, mostScanned: 20_000 };

/** What is asked for may lie among what others have: of what a scan may look at, half is left for that. */
const SPARE = 0.5;

/**
 * Pure: whether an index is asked. It knows neither tenants nor datasources: of what it finds, the share that is asked for
 * passes. Where that share is so small that the scan would end before it has enough, all of it is compared.
 */
export function isScanned({ chunks, vectors }: SearchSizes, limit: number, bounds: ScanBounds): boolean {
  if (vectors === null || chunks <= bounds.exactUpTo) return false;
  const scanned = (Math.min(limit, chunks) * Math.max(vectors, chunks)) / chunks;
  return scanned <= bounds.mostScanned * SPARE;
}
