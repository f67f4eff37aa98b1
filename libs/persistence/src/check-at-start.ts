import type { AppConfig } from '#libs/config';
import type { DataSource } from 'typeorm';
import { assertSessions } from './assert-sessions.js';
import { assertMigrated } from './migrate-database.js';
import { assertFilesUnchanged } from './migration-files.js';

interface WarnLog {
  warn(details: object, message: string): void;
}

/** Migrations of domains that earlier releases held: what they made is part of projects now. */
const OF_FORMER_DOMAINS: readonly string[] = [
  'CreateSupportDesk1764000000066',
  'CreateOrderEntry1764000000100',
  'ListOrderRequests1764000000101',
  'SendOrderRequests1764000000162',
];

/**
 * Throws `DATABASE_NOT_MIGRATED`, `DATABASE_POOLED`, or `INVALID_CONFIGURATION` for a file that was changed. Migrations of a
 * newer release are tolerated, since the old processes of a rolling upgrade live on and may start again, but never in
 * silence.
 */
export async function checkDatabaseAtStart(
  dataSource: DataSource,
  { directUrl, isPooled }: Pick<AppConfig['database'], 'directUrl' | 'isPooled'>,
  log: WarnLog,
): Promise<void> {
  await assertSessions(directUrl, isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
  const lacking = await assertMigrated(dataSource);
  await assertFilesUnchanged(dataSource);
  const unknown = lacking.filter((name) => !OF_FORMER_DOMAINS.includes(name));
  if (unknown.length > 0)
    log.warn(
      { migrations: unknown },
      'the database has migrations that are not in this release or in PROJECT: safe during an upgrade to a newer release, not for a downgrade',
    );
  if (isPooled && (await isCompiling(dataSource)))
    log.warn(
      {},
      'PostgreSQL compiles statements, for seconds, behind a pooler: ALTER ROLE … SET jit = off (docs/guides/postgres.md)',
    );
}

/** A setting that connections past a pooler bring along themselves. */
async function isCompiling(dataSource: DataSource): Promise<boolean> {
  const [row] = await dataSource.query<{ jit: string }[]>(`SELECT current_setting('jit') AS jit`);
  return row?.jit === 'on';
}
