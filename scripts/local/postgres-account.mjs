import { execFileSync } from 'node:child_process';

/**
 * The account that PostgreSQL runs under. PostgreSQL refuses to run as root: then it is `postgres` where that account
 * exists, else `nobody`, so that no account has to be added to the machine.
 * @returns {{uid: number, gid: number} | null} null: the account of this process
 * @throws {Error} when this process is root and neither account exists
 */
export function postgresAccount() {
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

/** @param {'-u' | '-g'} which @param {string} name */
function numericId(which, name) {
  const text = execFileSync('id', [which, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return Number.parseInt(text, 10);
}
