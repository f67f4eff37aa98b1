import { setFlagsFromString } from 'node:v8';

/** Percent above the heap that was alive after the last full collection, for a process of one role and for one of all. */
const GROWTH_PERCENT = { one: 100, all: 60 } as const;

/**
 * Bounds heap growth between full collections on any machine. V8's default depends on the memory limit: 30 % in a
 * container of 512 MB, 60 % in one of 2 GB, up to 300 % without a limit. Node does not accept this flag in
 * `NODE_OPTIONS`. A later call replaces an earlier one.
 */
export function setHeapGrowth(roles: keyof typeof GROWTH_PERCENT): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT[roles]}`);
}
