/** Processes of the service under test that are killed, stopped and started again. */
export const VICTIMS = ['worker-1', 'worker-2', 'webhooks', 'housekeeping', 'api-1', 'api-2'] as const;
export type Victim = (typeof VICTIMS)[number];

export type Backend = 'postgres' | 'redis';

/** What is done to the system. Durations are milliseconds. */
export type Fault =
  | { readonly kind: 'kill'; readonly victim: Victim; readonly downMs: number }
  | { readonly kind: 'freeze'; readonly victim: Victim; readonly frozenMs: number }
  /** Asked to stop, as in a deployment. */
  | { readonly kind: 'restart'; readonly victim: Victim }
  /** Every process of the server ends at once, without a checkpoint; nothing committed may be lost by it. */
  | { readonly kind: 'postgres_crash'; readonly downMs: number }
  | { readonly kind: 'postgres_freeze'; readonly frozenMs: number }
  | { readonly kind: 'postgres_disconnect' }
  /** Connections that stand never answer again, new ones work; the server forgets the old ones afterwards. */
  | { readonly kind: 'postgres_silent' | 'redis_silent'; readonly silentMs: number }
  /** Everything travels for `delayMs` in each direction. */
  | {
      readonly kind: 'postgres_slow' | 'redis_slow';
      readonly delayMs: number;
      readonly slowMs: number;
    }
  /** As after a failover to a replica: whoever was connected has to connect again. */
  | { readonly kind: 'postgres_read_only'; readonly readOnlyMs: number }
  /** Somebody holds a lock on all executions, as a careless migration does. */
  | { readonly kind: 'postgres_locked'; readonly lockedMs: number }
  /** The service gets no connection beside those that it has, and those are ended. */
  | { readonly kind: 'postgres_connection_limit'; readonly limitedMs: number }
  | { readonly kind: 'postgres_disk_full'; readonly fullMs: number }
  /** All jobs are gone, in PostgreSQL. */
  | { readonly kind: 'queue_truncated' }
  /** The wall clock of a process is off from now on, until its next step. */
  | { readonly kind: 'clock_step'; readonly victim: Victim; readonly offsetMs: number }
  /** Starts again with nothing. */
  | { readonly kind: 'redis_crash'; readonly downMs: number }
  | { readonly kind: 'redis_freeze'; readonly frozenMs: number }
  | { readonly kind: 'redis_flush' }
  /** It refuses to take anything more. */
  | { readonly kind: 'redis_full'; readonly fullMs: number };
export type FaultKind = Fault['kind'];

/** What the fault is done to; faults of one target do not overlap. */
export function targetOf(fault: Fault): string {
  if ('victim' in fault) return fault.victim;
  return fault.kind.startsWith('redis') ? 'redis' : 'postgres';
}
