/** Processes of the service under test that are killed, stopped and started again. */
export const VICTIMS = ['worker-1', 'worker-2', 'webhooks', 'housekeeping', 'api-1', 'api-2'] as const;
export type Victim = (typeof VICTIMS)[number];

export type Backend = 'postgres' | 'redis';

/** A fault that is inflicted on the system. Durations are milliseconds. */
export type Fault =
  | { readonly kind: 'kill'; readonly victim: Victim; readonly downMs: number }
  | { readonly kind: 'freeze'; readonly victim: Victim; readonly frozenMs: number }
  /** The process is asked to stop, as in a deployment. */
  | { readonly kind: 'restart'; readonly victim: Victim }
  /** Every process of the server ends at once, without a checkpoint; no flushed commit may be lost. */
  | { readonly kind: 'postgres_crash'; readonly downMs: number }
  | { readonly kind: 'postgres_freeze'; readonly frozenMs: number }
  | { readonly kind: 'postgres_disconnect' }
  /** Open connections never answer again, new ones work; the server forgets the old ones afterwards. */
  | { readonly kind: 'postgres_silent' | 'redis_silent'; readonly silentMs: number }
  /** Every packet is delayed by `delayMs` in each direction. */
  | {
      readonly kind: 'postgres_slow' | 'redis_slow';
      readonly delayMs: number;
      readonly slowMs: number;
    }
  /** As after a failover to a replica: all clients are disconnected and find a read-only database. */
  | { readonly kind: 'postgres_read_only'; readonly readOnlyMs: number }
  /** A session locks the `execution` table exclusively, as a careless migration does. */
  | { readonly kind: 'postgres_locked'; readonly lockedMs: number }
  /** The service's connections are ended, and it gets almost no new ones. */
  | { readonly kind: 'postgres_connection_limit'; readonly limitedMs: number }
  | { readonly kind: 'postgres_disk_full'; readonly fullMs: number }
  /** All jobs in PostgreSQL are deleted. */
  | { readonly kind: 'queue_truncated' }
  /** The wall clock of a process is off until its next step. */
  | { readonly kind: 'clock_step'; readonly victim: Victim; readonly offsetMs: number }
  /** Redis restarts empty. */
  | { readonly kind: 'redis_crash'; readonly downMs: number }
  | { readonly kind: 'redis_freeze'; readonly frozenMs: number }
  | { readonly kind: 'redis_flush' }
  /** Redis refuses all writes. */
  | { readonly kind: 'redis_full'; readonly fullMs: number };
export type FaultKind = Fault['kind'];

/** The target of the fault; faults of one target do not overlap. */
export function targetOf(fault: Fault): string {
  if ('victim' in fault) return fault.victim;
  return fault.kind.startsWith('redis') ? 'redis' : 'postgres';
}
