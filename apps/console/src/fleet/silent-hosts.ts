import type { Worker } from '../api/types.js';

type ShownHost = Worker['model_hosts'][number];

/** A model host that does not answer a worker, as that worker knows it. */
export interface SilentHost extends ShownHost {
  readonly workerId: string;
}

/** Hosts that do not answer present workers: by host, then by worker. Pure. */
export function silentHostsOf(workers: readonly Worker[]): SilentHost[] {
  return workers
    .filter(({ is_present }) => is_present)
    .flatMap(({ id, model_hosts: hosts }) => hosts.map((host) => ({ ...host, workerId: id })))
    .toSorted((a, b) => a.host.localeCompare(b.host) || a.workerId.localeCompare(b.workerId));
}
