import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { runProgram } from './run-program.mjs';

/**
 * Makes a fresh database cluster in `dataDirectory`, UTF-8 and with the same sort order on every machine. It appears
 * there whole or not at all, so a first start that was cut short leaves nothing to repair.
 *
 * @param {object} cluster
 * @param {{initdb: string}} cluster.programs
 * @param {{uid: number, gid: number} | null} cluster.account
 * @param {string} cluster.dataDirectory
 * @param {string} cluster.user the superuser's name
 * @param {string} cluster.password
 * @throws {Error} with the words of initdb
 */
export async function initialiseCluster({ programs, account, dataDirectory, user, password }) {
  const workshop = join(dirname(dataDirectory), 'unfinished');
  rmSync(workshop, { recursive: true, force: true });
  rmSync(dataDirectory, { recursive: true, force: true });
  mkdirSync(workshop, { mode: 0o700 });
  const passwordFile = join(workshop, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== null)
    for (const path of [workshop, passwordFile]) chownSync(path, account.uid, account.gid);

  const unfinished = join(workshop, 'data');
  const result = await runProgram(
    programs.initdb,
    [
      `--pgdata=${unfinished}`,
      `--username=${user}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      // Sorting and upper/lower case come from PostgreSQL itself; only the classes of characters (pg_trgm asks what
      // a letter is) come from the machine, so Japanese needs one of its UTF-8 locales.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      `--lc-ctype=${utf8CharacterClasses()}`,
      '--no-sync',
      '--no-instructions',
    ],
    account,
  );
  if (result.code !== 0)
    throw new Error(`Embedded PostgreSQL could not make its data folder: ${result.output.trim()}`);
  chmodSync(unfinished, 0o700);
  renameSync(unfinished, dataDirectory);
  rmSync(workshop, { recursive: true, force: true });
}

/** @returns {string} the name of a UTF-8 locale of this machine, or `C` where it has none */
function utf8CharacterClasses() {
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
