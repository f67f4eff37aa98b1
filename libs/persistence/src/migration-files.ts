import { AppError } from '#libs/kernel';
import type { DataSource } from 'typeorm';

/** Present in migrations that are made of a file. */
interface FromFile {
  readonly source?: { readonly file: string; readonly checksum: string };
}

/**
 * Throws `INVALID_CONFIGURATION`, with the name of the file, where a file that has run on this database was changed since:
 * databases with the earlier text and with the later one would differ in silence.
 */
export async function assertFilesUnchanged(dataSource: DataSource): Promise<void> {
  const [table] = await dataSource.query<{ exists: boolean }[]>(
    `SELECT to_regclass('schema_migration') IS NOT NULL AS exists`,
  );
  if (table?.exists !== true) return;
  // By way of JSON, since a database that is not migrated yet has no such column.
  const rows = await dataSource.query<{ name: string; checksum: string | null }[]>(
    `SELECT name, to_jsonb(m) ->> 'checksum' AS checksum FROM schema_migration m`,
  );
  const kept = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  for (const { name, file, checksum } of filesOf(dataSource)) {
    const earlier = kept.get(name) ?? null;
    if (earlier !== null && earlier !== checksum) throw changed(file);
  }
}

/** Keeps the checksum of each file that has run and has none yet, such as one that an earlier release ran. */
export async function keepChecksums(dataSource: DataSource): Promise<void> {
  for (const { name, checksum } of filesOf(dataSource))
    await dataSource.query('UPDATE schema_migration SET checksum = $2 WHERE name = $1 AND checksum IS NULL', [
      name,
      checksum,
    ]);
}

function filesOf({ migrations }: DataSource): readonly { name: string; file: string; checksum: string }[] {
  return migrations.flatMap((migration) => {
    const { source } = migration as FromFile;
    return source === undefined ? [] : [{ name: migration.name ?? migration.constructor.name, ...source }];
  });
}

function changed(file: string): AppError {
  return new AppError({
    code: 'INVALID_CONFIGURATION',
    kind: 'invalid_input',
    message: `${file} has run on this database, and its text has changed since: restore it, and put the change into a new file beside it`,
  });
}
