import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the kernel's own clock is. */
const MS_PER_TICK = 10;

/**
 * What processes have used so far, in milliseconds; not a number where the machine does not say (it has no /proc).
 * @param {readonly number[]} pids
 */
export function cpuTime(pids) {
  return pids.reduce((sum, pid) => sum + (readStat(pid)?.cpuMs ?? Number.NaN), 0);
}

/**
 * The same of a process and all it has started, also of what has ended since.
 * @param {number} pid
 */
export function cpuTimeOfFamily(pid) {
  const own = readStat(pid);
  if (own === null) return Number.NaN;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((name) => readStat(Number(name)));
  return children.reduce(
    (sum, child) => (child?.parent === pid ? sum + child.cpuMs : sum),
    own.cpuMs + own.endedMs,
  );
}

/** @param {number} pid @returns {{parent: number, cpuMs: number, endedMs: number} | null} */
function readStat(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces. After it: state, parent, …, user, system, those of ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = (/** @type {number} */ at) => Number(fields[at]) * MS_PER_TICK;
    return { parent: Number(fields[1]), cpuMs: ticks(11) + ticks(12), endedMs: ticks(13) + ticks(14) };
  } catch {
    return null;
  }
}
