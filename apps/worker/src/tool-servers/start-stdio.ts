import { dirname } from 'node:path';
import type { AppConfig } from '#libs/config';
import { findIsolation, type StdioRules } from '#libs/tool-sources';

const MEMORY_BYTES = 1_073_741_824;
const MAX_PROCESSES = 16;

const NO_ISOLATION = [
  'STDIO_SERVERS: this system offers no isolation (unshare and setpriv of util-linux, namespaces), so processes of tenants',
  'could read the environment of the worker; allow namespaces, unset STDIO_SERVERS, or accept it with STDIO_UNSAFE=true',
].join(' ');

/**
 * Rules for tool servers that run as processes. Throws if they would run without isolation and the operator has not
 * allowed that.
 */
export function stdioRules(
  { lines, isUnsafe }: AppConfig['stdio'],
  find: typeof findIsolation = findIsolation,
): StdioRules {
  // The directory of this process's Node first, so that `node` and `npx` come from the same installation.
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  const isNeeded = lines.length > 0 && !isUnsafe;
  const isolation = isNeeded ? find(path) : null;
  if (isNeeded && isolation === null) throw new Error(NO_ISOLATION);
  return { lines, isolation, memoryBytes: MEMORY_BYTES, mostProcesses: MAX_PROCESSES, path };
}
