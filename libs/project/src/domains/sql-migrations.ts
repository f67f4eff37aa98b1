import { createHash } from 'node:crypto';
import { AppError } from '#libs/kernel';
import type { DomainMigration } from '#libs/tooling';

/** A file of SQL statements below `migrations` of a domain. */
export interface SqlFile {
  /** Its name, e.g. `1770000000000-create-parcel.sql`. */
  readonly name: string;
  readonly sql: string;
}

const NAME = /^(?<timestamp>\d{13})-(?<words>[a-z0-9]+(?:-[a-z0-9]+)*)\.sql$/;

/** Schema of a domain's tables. */
export function schemaOf(domain: string): string {
  return domain.replaceAll('-', '_');
}

/** Names the first file whose name orders nothing, or orders two; null if there is none. */
export function findMigrationFault(files: readonly SqlFile[]): string | null {
  const odd = files.find(({ name }) => !NAME.test(name));
  if (odd !== undefined)
    return `the migration "${odd.name}" must be named by 13 digits, "-" and lower-case words, e.g. 1770000000000-create-parcel.sql`;
  const stamps = files.map(({ name }) => name.slice(0, 13));
  const twice = stamps.find((stamp, index) => stamps.indexOf(stamp) !== index);
  return twice === undefined ? null : `two migrations begin with ${twice}`;
}

/**
 * Migration that creates the schema of the domain if it is missing, and runs the file. It has no way back: a later file
 * undoes what an earlier one did.
 */
export function toMigration(domain: string, { name: file, sql }: SqlFile): DomainMigration {
  const { timestamp = '', words = '' } = NAME.exec(file)?.groups ?? {};
  const name = `${capitalized(domain)}${capitalized(words)}${timestamp}`;
  const source = { file: `domains/${domain}/migrations/${file}`, checksum: checksumOf(sql) };
  class SqlMigration {
    readonly name = name;
    readonly source = source;

    async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
      await runner.query(`CREATE SCHEMA IF NOT EXISTS "${schemaOf(domain)}"`);
      await runner.query(sql).catch((cause: unknown) => {
        throw migrationFailed(source.file, cause);
      });
    }

    down(): Promise<never> {
      return Promise.reject(new Error(`the migration ${file} of the domain "${domain}" has no way back`));
    }
  }
  Object.defineProperty(SqlMigration, 'name', { value: name });
  return SqlMigration;
}

/** Equal for both kinds of line ends, which Git converts. */
function checksumOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}

/** For the operator who migrates: the file, and what PostgreSQL says of it. */
function migrationFailed(file: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : 'it failed';
  return new AppError({
    code: 'INVALID_CONFIGURATION',
    kind: 'invalid_input',
    message: `${file}: ${reason}`,
    cause,
  });
}

function capitalized(words: string): string {
  return words.replaceAll(/(?:^|-)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
