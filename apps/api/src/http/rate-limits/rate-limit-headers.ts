import type { Standing } from '#libs/rate-limits';

/** `RateLimit-Policy` and `RateLimit` as the IETF drafts them (draft-ietf-httpapi-ratelimit-headers-11). */
export function rateLimitHeaders(standings: readonly Standing[]): Readonly<Record<string, string>> {
  const policies = standings.map(({ limit }) => `"${limit.name}";q=${limit.points};w=${limit.windowSeconds}`);
  const states = standings.map(
    (standing) => `"${standing.limit.name}";r=${standing.remaining};t=${secondsToReset(standing)}`,
  );
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: states.join(', ') };
}

/** From 1. */
export function secondsToReset({ resetMs }: Pick<Standing, 'resetMs'>): number {
  return Math.max(1, Math.ceil(resetMs / 1_000));
}
