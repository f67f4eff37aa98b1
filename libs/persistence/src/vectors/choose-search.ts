/** Numbers of chunks and vectors that a search would read. */
export interface SearchSizes {
  /** Live chunks of the datasources that are asked. */
  readonly chunks: number;
  /** Vectors in the index of the same model and length, of all tenants; null without an index. */
  readonly vectors: number | null;
}

/** Numbers of chunks from which on a search uses the index, and limits of its scan. */
export interface ScanBounds {
  /** Up to this number of chunks, comparing all of them is faster than an index. */
  readonly exactUpTo: number;
  /** Limit of chunks that no index has yet; a search compares them beside its scan. */
  readonly mostBehind: number;
  /** Limit of vectors that one scan reads. */
  readonly mostScanned: number;
}

export const SCAN_BOUNDS: ScanBounds = { exactUpTo: 5_000, mostBehind: 5_000, mostScanned: 20_000 };

/** Half of a scan is left for vectors that the filters drop: the wanted ones may lie among those of other tenants. */
const SPARE = 0.5;

/**
 * Pure: whether a search uses the index. The index knows neither tenants nor datasources, so that only a share of the
 * vectors it finds pass the filters. If that share is so small that the scan would end too early, the search compares all
 * chunks instead.
 */
export function isScanned({ chunks, vectors }: SearchSizes, limit: number, bounds: ScanBounds): boolean {
  if (vectors === null || chunks <= bounds.exactUpTo) return false;
  const scanned = (Math.min(limit, chunks) * Math.max(vectors, chunks)) / chunks;
  return scanned <= bounds.mostScanned * SPARE;
}
