import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';

/** Below the ports that systems use for outgoing connections and for servers without a fixed port. */
const [FIRST, LAST] = [10_000, 32_000];
const FOLDER = join(tmpdir(), 'capstan-test-ports');

const reserved = new Set<number>();

/**
 * Reserves a free TCP port of 127.0.0.1, from 10 000 to 32 000, among all test processes of this machine for the life of
 * this one. A service listens only once it has started: until then another test would find the port free, and would take one
 * service for the other.
 */
export async function reservePort(): Promise<number> {
  for (;;) {
    const wanted = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (!reserve(wanted)) continue;
    if ((await getPort({ host: '127.0.0.1', port: wanted })) === wanted) return wanted;
    release(wanted);
  }
}

/** Reserves the port; false if a running process holds it. */
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

/** True if a running process holds the port; removes the file of a killed process. */
function isHeld(port: number): boolean {
  try {
    const holder = Number(readFileSync(fileOf(port), 'utf8'));
    // An empty file is just being written.
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
