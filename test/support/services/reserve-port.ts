import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';

/** Below the ports that systems give to connections and to servers that ask for any port. */
const [FIRST, LAST] = [10_000, 32_000];
const FOLDER = join(tmpdir(), 'capstan-test-ports');

const reserved = new Set<number>();

/**
 * A free TCP port of 127.0.0.1, between 10 000 and 32 000, that no other test process of this machine is given while this
 * one runs. A service listens on it only once it has started: until then another test would find it free, and
 * would take the service of the one for that of the other.
 */
export async function reservePort(): Promise<number> {
  for (;;) {
    const wanted = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (!reserve(wanted)) continue;
    if ((await getPort({ host: '127.0.0.1', port: wanted })) === wanted) return wanted;
    release(wanted);
  }
}

/** False where a process that still runs holds it. */
function reserve(port: number): boolean {
  if (reserved.size === 0) process.once('exit', () => reserved.forEach(release));
  mkdirSync(FOLDER, { recursive: true });
  if (isHeld(port)) return false;
  try {
    writeFileSync(fileOf(port), String(process.pid), { flag: 'wx' });
  } catch {
    return false;
  }
  reserved.add(port);
  return true;
}

/** Takes away the file of a process that was killed. */
function isHeld(port: number): boolean {
  try {
    const holder = Number(readFileSync(fileOf(port), 'utf8'));
    // An empty file is one that is being written.
    if (holder === 0) return true;
    process.kill(holder, 0);
    return true;
  } catch {
    rmSync(fileOf(port), { force: true });
    return false;
  }
}

function release(port: number): void {
  reserved.delete(port);
  rmSync(fileOf(port), { force: true });
}

function fileOf(port: number): string {
  return join(FOLDER, String(port));
}
