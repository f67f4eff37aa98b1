import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** Points of rate limits that all processes count together, by the clock of the database. */
export class RateLimitStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds points to the window of a key, or to a new window if the last has ended. Returns its points. */
  async add(
    key: string,
    points: number,
    windowMs: number,
  ): Promise<{ readonly points: number; readonly expiresInMs: number }> {
    const [row] = await queryRows<{ points: number; expires_in_ms: number }>(
      this.dataSource,
      `INSERT INTO rate_limit AS held (key, points, expires_at)
       VALUES ($1, $2, now() + $3::int * interval '1 millisecond')
       ON CONFLICT (key) DO UPDATE SET
         points = CASE WHEN held.expires_at <= now() THEN excluded.points
                       ELSE least(held.points::bigint + excluded.points, 2147483647) END,
         expires_at = CASE WHEN held.expires_at <= now() THEN excluded.expires_at ELSE held.expires_at END
       RETURNING points, ceil(extract(epoch FROM expires_at - now()) * 1000)::int AS expires_in_ms`,
      [key, points, windowMs],
    );
    if (!row) throw new Error('an inserted row was not answered');
    return { points: row.points, expiresInMs: row.expires_in_ms };
  }
}

/** Deletes windows that have ended. */
export async function expireRateLimits(dataSource: DataSource): Promise<void> {
  await queryRows(dataSource, `DELETE FROM rate_limit WHERE expires_at <= now() RETURNING key`);
}
