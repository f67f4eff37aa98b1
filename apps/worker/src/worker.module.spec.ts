import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WorkerModule } from './worker.module.js';

it.each([
  { roles: 'execute,webhooks,housekeeping', sends: true },
  { roles: 'execute,housekeeping', sends: false },
])('a worker with the roles $roles sends the webhooks of what it ends: $sends', ({ roles, sends }) => {
  const config = parseEnv({ DATABASE_URL: 'postgres://127.0.0.1/any', WORKER_ROLES: roles });
  const { imports = [] } = WorkerModule.forRoot(config, pino({ level: 'silent' }));
  expect(imports.includes(WebhooksModule)).toBe(sends);
});
