// @ts-check
import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports CPU time in ticks of 10 ms, independent of the kernel's clock. */
const MS_PER_TICK = 10;

/**
 * State of a process; null without /proc, or when the process has ended.
 * @typedef {object} ProcessStat
 * @property {number} parent
 * @property {number} cpuMs since its start
 * @property {number} endedMs of its children that have ended
 */

/** @param {number} pid @returns {ProcessStat | null} */
export function readStat(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces. After it: state, parent, …, user, system, and both of ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = (/** @type {number} */ at) => Number(fields[at]) * MS_PER_TICK;
    return { parent: Number(fields[1]), cpuMs: ticks(11) + ticks(12), endedMs: ticks(13) + ticks(14) };
  } catch {
    return null;
  }
}

/** @param {number} pid @returns {number[]} */
export function childrenOf(pid) {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((other) => Number.isInteger(other) && readStat(other)?.parent === pid);
  } catch {
    return [];
  }
}

/** Resident memory in bytes; NaN where the system does not say. @param {number} pid */
export function residentBytes(pid) {
  try {
    const kB = /^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kB) * 1_024;
  } catch {
    return Number.NaN;
  }
}

/** Memory in bytes that a process shares with no other; NaN where the system does not say. @param {number} pid */
export function privateBytes(pid) {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kB = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gmu)].map((match) =>
      Number(match[1]),
    );
    return kB.reduce((sum, some) => sum + some, 0) * 1_024;
  } catch {
    return Number.NaN;
  }
}
