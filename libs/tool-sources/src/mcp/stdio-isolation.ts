import { spawnSync } from 'node:child_process';

/**
 * How a process is kept from the worker and from those of other tenants. `namespace`: it sees no process but its own, has no
 * privilege and a `/tmp` of its own. `user`: it runs as a user that nothing else runs as. Both hide the environment of every
 * other process from it.
 */
export type StdioIsolation = 'namespace' | 'user';

/** Users from this number on belong to no account; each process has one of them in turn. */
const FIRST_USER = 61_000;
const USERS = 1_000;
const PROBE_TIMEOUT_MS = 5_000;

const WITHOUT_PRIVILEGES = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
/** Mounts the folder for temporary files, of at most 256 MB, and gives every privilege up. */
const PRIVATE_TMP = 'mount -t tmpfs -o size=256m,mode=1777,nosuid,nodev tmpfs /tmp && exec setpriv "$@"';
const NAMESPACES = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];

/**
 * The words that stand before a command line to isolate it (`unshare` and `setpriv` of util-linux).
 *
 * @param isRoot whether the worker is; else it makes a user namespace first
 * @param number of the process, so that processes that run side by side have users of their own
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

/** The strictest isolation that this system allows, found out by trying; null where it allows none. Takes some 10 ms. */
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
