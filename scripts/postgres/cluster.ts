import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Account } from './account.ts';
import { runAs, type PostgresPrograms } from './programs.ts';

export interface NewCluster {
  readonly programs: PostgresPrograms;
  readonly account: Account | null;
  readonly dataDirectory: string;
  /** The superuser's name. */
  readonly user: string;
  readonly password: string;
}

/**
 * Creates a database cluster in `dataDirectory`, with UTF-8 and the same sort order on every machine. It appears complete or
 * not at all, so an interrupted first start needs no repair.
 * @throws {Error} with the output of initdb
 */
export async function initialiseCluster(cluster: NewCluster): Promise<void> {
  const { programs, account, dataDirectory, user, password } = cluster;
  const workshop = join(dirname(dataDirectory), 'unfinished');
  rmSync(workshop, { recursive: true, force: true });
  rmSync(dataDirectory, { recursive: true, force: true });
  mkdirSync(workshop, { mode: 0o700 });
  const passwordFile = join(workshop, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== null) {
    for (const path of [workshop, passwordFile]) chownSync(path, account.uid, account.gid);
  }

  const unfinished = join(workshop, 'data');
  const { hasSucceeded, output } = await runAs(account, programs.initdb, [
    `--pgdata=${unfinished}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // The password has 128 random bits: 4 096 iterations would add no protection, and cost 5 ms for each connection.
    '--set=scram_iterations=1',
    '--encoding=UTF8',
    '--locale=C',
    // PostgreSQL's builtin provider sorts and changes case; only character classes (pg_trgm asks which characters are
    // letters) come from the system, so Japanese needs a UTF-8 locale.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--lc-ctype=${utf8CharacterClasses()}`,
    '--no-sync',
    '--no-instructions',
  ]);
  if (!hasSucceeded) {
    throw new Error(explainFailure(output));
  }
  chmodSync(unfinished, 0o700);
  renameSync(unfinished, dataDirectory);
  rmSync(workshop, { recursive: true, force: true });
}

/** @param output output of initdb */
function explainFailure(output: string): string {
  const [, id] = /could not look up effective user ID (\d+)/u.exec(output) ?? [];
  if (id === undefined) return `Embedded PostgreSQL could not make its data folder: ${output.trim()}`;
  return (
    `The embedded PostgreSQL needs an account with a name, and ${id} has none: run this under another account, ` +
    `give ${id} a line in /etc/passwd, or set DATABASE_URL to a PostgreSQL of yours.`
  );
}

/** Name of a UTF-8 locale of this machine, or `C` without one. */
function utf8CharacterClasses(): string {
  try {
    const known = execFileSync('locale', ['-a'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split(/\s+/u);
    return ['C.UTF-8', 'C.utf8', 'en_US.UTF-8', 'en_US.utf8'].find((name) => known.includes(name)) ?? 'C';
  } catch {
    return 'C';
  }
}
