import { spawnSync } from 'node:child_process';

/**
 * Isolation of a process from the worker and from processes of other tenants. `namespace`: own process tree and `/tmp`,
 * without privileges. `user`: a separate user id per process. Both hide the environment of other processes.
 */
export type StdioIsolation = 'namespace' | 'user';

/** User ids without an account; processes use them in rotation. */
const FIRST_USER = 61_000;
const USERS = 1_000;
const PROBE_TIMEOUT_MS = 5_000;

const WITHOUT_PRIVILEGES = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
/** Mounts a private `/tmp` of at most 256 MB, and drops all privileges. */
const PRIVATE_TMP = 'mount -t tmpfs -o size=256m,mode=1777,nosuid,nodev tmpfs /tmp && exec setpriv "$@"';
const NAMESPACES = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];

/**
 * Command prefix that isolates a command line (`unshare` and `setpriv` of util-linux).
 *
 * @param isRoot true if the worker is root; otherwise a user namespace is created first
 * @param number number of the process, which selects its user id
 */
export function isolating(isolation: StdioIsolation, isRoot: boolean, number: number): readonly string[] {
  const user = String(FIRST_USER + (number % USERS));
  const asUser = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', ...WITHOUT_PRIVILEGES, '--'];
  if (isolation === 'user') return ['setpriv', ...asUser];
  const inside = ['/bin/sh', '-c', PRIVATE_TMP, 'isolated'];
  if (isRoot) return ['unshare', ...NAMESPACES, '--', ...inside, ...asUser];
  const own = ['--user', '--map-user=65534', '--map-group=65534', '--keep-caps'];
  const privileges = [...WITHOUT_PRIVILEGES, '--ambient-caps=-all', '--'];
  return ['unshare', ...own, ...NAMESPACES, '--', ...inside, ...privileges];
}

/** The strictest isolation that this system permits, determined by trying; null if none. Takes about 10 ms. */
export function findIsolation(path: string, isRoot = process.getuid?.() === 0): StdioIsolation | null {
  const kinds: readonly StdioIsolation[] = isRoot ? ['namespace', 'user'] : ['namespace'];
  return kinds.find((kind) => works([...isolating(kind, isRoot, 0), 'true'], path)) ?? null;
}

function works([file = '', ...args]: readonly string[], path: string): boolean {
  const { status } = spawnSync(file, args, {
    ...{ cwd: '/', env: { PATH: path }, stdio: 'ignore', timeout: PROBE_TIMEOUT_MS },
  });
  return status === 0;
}
