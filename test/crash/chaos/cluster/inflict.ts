import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, Victim } from '../plan/fault-plan.js';
import type { PostgresServer } from './postgres-server.js';
import type { RedisServer } from './redis-server.js';
import type { SupervisedService } from './supervised-service.js';

/** What can be broken. */
export interface Targets {
  readonly services: Readonly<Record<Victim, SupervisedService | null>>;
  readonly postgres: PostgresServer;
  readonly redis: RedisServer | null;
  readonly databaseUrl: string;
}

/** Does a fault and undoes it: afterwards its target runs again, or is about to. */
export async function inflict(
  fault: Fault,
  { services, postgres, redis, databaseUrl }: Targets,
): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      return services[fault.victim]?.kill(fault.downMs);
    case 'freeze':
      return services[fault.victim]?.freeze(fault.frozenMs);
    case 'restart':
      return services[fault.victim]?.restart();
    case 'postgres_crash':
      await postgres.crash();
      await delay(fault.downMs);
      return postgres.restart();
    case 'postgres_freeze':
      return postgres.freeze(fault.frozenMs);
    case 'postgres_disconnect':
      return postgres.disconnectAll(databaseUrl);
    case 'redis_crash':
      await redis?.crash();
      await delay(fault.downMs);
      return redis?.restart();
    case 'redis_freeze':
      return redis?.freeze(fault.frozenMs);
    case 'redis_flush':
      return redis?.flush();
  }
}
