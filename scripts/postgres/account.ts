import { execFileSync } from 'node:child_process';

/** Numeric ids of an operating system account. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account that PostgreSQL runs under; null for the account of this process. PostgreSQL refuses to run as root, so root
 * uses the account `postgres`, or an unprivileged system account, and no account must be added.
 * @throws {Error} when this process is root and neither account exists
 */
export function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: numericId('-u', name), gid: numericId('-g', name) };
    } catch {
      // The next name may exist.
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a postgres nor a nobody account.',
  );
}

function numericId(which: '-u' | '-g', name: string): number {
  const text = execFileSync('id', [which, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return Number.parseInt(text, 10);
}
