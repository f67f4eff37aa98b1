import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { BornDeliveries } from './webhooks/born-deliveries.js';
import { WorkerModule } from './worker.module.js';

it.each([
  { roles: 'execute,webhooks,housekeeping', sends: true },
  { roles: 'execute,housekeeping', sends: false },
])('a worker with the roles $roles sends the webhooks of what it ends: $sends', ({ roles, sends }) => {
  const config = parseEnv({ DATABASE_URL: 'postgres://127.0.0.1/any', WORKER_ROLES: roles });
  const { providers = [] } = WorkerModule.forRoot(config, pino({ level: 'silent' }));
  const tokens = providers.map((provider) => ('provide' in provider ? provider.provide : provider));
  expect(tokens.includes(BornDeliveries)).toBe(sends);
});
