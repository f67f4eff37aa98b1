import { setTimeout as delay } from 'node:timers/promises';
import type { BreakableProxy } from '../../../support/services/breakable-proxy.js';
import type { Fault, Victim } from '../plan/fault.js';
import type { DatabaseFaults } from './database-faults.js';
import type { PostgresServer } from './postgres-server.js';
import type { RedisServer } from './redis-server.js';
import type { SmallDisk } from './small-disk.js';
import type { SupervisedService } from './supervised-service.js';

/** The parts of the system that faults can hit. */
export interface Targets {
  readonly services: Readonly<Record<Victim, SupervisedService | null>>;
  readonly postgres: PostgresServer;
  /** The proxy between the service and its database. */
  readonly postgresProxy: BreakableProxy;
  readonly database: DatabaseFaults;
  readonly disk: SmallDisk | null;
  readonly redis: RedisServer | null;
  readonly redisProxy: BreakableProxy | null;
  /** The administrator's URL, which bypasses the proxy. */
  readonly databaseUrl: string;
}

/** Inflicts a fault and undoes it; afterwards the target runs again or is about to. */
export async function inflict(fault: Fault, targets: Targets): Promise<void> {
  const { services, postgres, database, disk, redis } = targets;
  switch (fault.kind) {
    case 'kill':
      return services[fault.victim]?.kill(fault.downMs);
    case 'freeze':
      return services[fault.victim]?.freeze(fault.frozenMs);
    case 'restart':
      return services[fault.victim]?.restart();
    case 'clock_step':
      return services[fault.victim]?.setClock(fault.offsetMs);
    case 'postgres_crash':
      await postgres.crash();
      await delay(fault.downMs);
      return postgres.restart();
    case 'postgres_freeze':
      return postgres.freeze(fault.frozenMs);
    case 'postgres_disconnect':
      return database.disconnectAll();
    case 'postgres_silent':
      return silence(targets.postgresProxy, fault.silentMs);
    case 'postgres_slow':
      return slow(targets.postgresProxy, fault.delayMs, fault.slowMs);
    case 'postgres_read_only':
      return database.makeReadOnly(fault.readOnlyMs);
    case 'postgres_locked':
      return database.lockExecutions(fault.lockedMs);
    case 'postgres_connection_limit':
      return database.limitConnections(fault.limitedMs);
    case 'postgres_disk_full':
      disk?.fill();
      await delay(fault.fullMs);
      return disk?.empty();
    case 'queue_truncated':
      return database.truncateQueue();
    case 'redis_crash':
      await redis?.crash();
      await delay(fault.downMs);
      return redis?.restart();
    case 'redis_freeze':
      return redis?.freeze(fault.frozenMs);
    case 'redis_flush':
      return redis?.flush();
    case 'redis_silent':
      return silence(targets.redisProxy, fault.silentMs);
    case 'redis_slow':
      return slow(targets.redisProxy, fault.delayMs, fault.slowMs);
    case 'redis_full':
      return redis?.refuseWrites(fault.fullMs);
  }
}

async function silence(proxy: BreakableProxy | null, ms: number): Promise<void> {
  proxy?.silence();
  await delay(ms);
  proxy?.forgetSilent();
}

async function slow(proxy: BreakableProxy | null, delayMs: number, ms: number): Promise<void> {
  proxy?.slowDown(delayMs);
  await delay(ms);
  proxy?.slowDown(0);
}
