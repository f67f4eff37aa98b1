/** Shown for an amount that the service does not know, which is not the same as zero. */
export const UNKNOWN = 'unknown';

/** Costs in US dollars; null is unknown. Small amounts keep two significant digits. Pure. */
export function formatCost(usd: string | null | undefined): string {
  const amount = usd === null || usd === undefined || usd === '' ? Number.NaN : Number(usd);
  if (Number.isNaN(amount)) return UNKNOWN;
  if (amount === 0) return '$0';
  if (amount >= 1) return `$${amount.toFixed(2)}`;
  if (amount < 0.000001) return '< $0.000001';
  const decimals = Math.min(8, 1 - Math.floor(Math.log10(amount)));
  return `$${amount.toFixed(Math.max(2, decimals))}`;
}

/** Number of tokens with groups of digits; null is unknown. Pure. */
export function formatTokens(tokens: number | null | undefined): string {
  return tokens === null || tokens === undefined ? UNKNOWN : tokens.toLocaleString('en-US');
}

/** Size of a text or file in bytes, kB or MB. Pure. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
