// Outlives the chaos runner, and cleans up after the runner has ended in any way. Reads lines of JSON on standard input:
// {"pid"} started, {"dataDirectory"} of a PostgreSQL, {"mountPoint"}, {"folder"} to remove.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const GONE_WITHIN_MS = 10_000;

/** The start time of each process, by id, because the system may reuse an id later. */
const processes = new Map();
const dataDirectories = new Set();
const mountPoints = new Set();
const folders = new Set();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const { pid, dataDirectory, mountPoint, folder } = JSON.parse(line);
  if (pid !== undefined) processes.set(pid, beginOf(pid));
  if (dataDirectory !== undefined) dataDirectories.add(dataDirectory);
  if (mountPoint !== undefined) mountPoints.add(mountPoint);
  if (folder !== undefined) folders.add(folder);
}

for (const [pid, begin] of processes) if (begin !== null && beginOf(pid) === begin) end(pid, 'SIGKILL');
const servers = [...dataDirectories].map(postmasterOf).filter((pid) => pid !== null);
for (const pid of servers) end(pid, 'SIGCONT');
for (const pid of servers) end(pid, 'SIGQUIT');
const limit = Date.now() + GONE_WITHIN_MS;
while (servers.some((pid) => beginOf(pid) !== null) && Date.now() < limit) await delay(20);
for (const mountPoint of mountPoints) {
  try {
    if (readFileSync('/proc/mounts', 'utf8').includes(` ${mountPoint} `))
      execFileSync('umount', ['-l', mountPoint]);
  } catch {
    // A mount that stays keeps only its own folder from being removed.
  }
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** The start time of a process in ticks since boot; null if it does not exist or is a zombie. */
function beginOf(pid) {
  try {
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
    return state === 'Z' ? null : fields[18];
  } catch {
    return null;
  }
}

function postmasterOf(dataDirectory) {
  const file = join(dataDirectory, 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null;
}

function end(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}
