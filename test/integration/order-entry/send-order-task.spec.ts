import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseEnv } from '#libs/config';
import { DomainSecretStore } from '#libs/persistence';
import { SecretBox } from '#libs/secrets';
import type { TaskDependencies } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { OpenedSecrets } from '../../../apps/worker/src/background-tasks/opened-secrets.js';
import { DOMAIN } from './order-entry-database.js';
import { LINE, ORDERING_ENV, OrderingWorld } from './ordering-world.js';

type Secrets = TaskDependencies<EntityManager>['secrets'];

const [sendOrderTask] = DOMAIN.tasks;
const ELSEWHERE = 'https://other.example.com/orders';

let world: OrderingWorld;
let secrets: Secrets;
beforeAll(async () => {
  world = await OrderingWorld.open({ withWorker: false });
  const config = parseEnv({ NODE_ENV: 'test', DATABASE_URL: world.database.url, ...ORDERING_ENV });
  secrets = new OpenedSecrets(
    new DomainSecretStore(world.api.dataSource),
    SecretBox.of(config.encryptionKey),
  );
});
beforeEach(async () => {
  expect((await world.nameService()).status).toBe(200);
});
afterAll(() => world.close());

/** Makes one try to send an order to the world's service; returns the outcome and the tokens that were sent. */
async function perform(given: Partial<TaskDependencies<EntityManager>>) {
  const posted: (string | null)[] = [];
  const post: typeof fetch = (_url, init) => {
    posted.push(new Headers(init?.headers).get('authorization'));
    return Promise.resolve(new Response('{"order_number": "SO-1"}', { status: 201 }));
  };
  const { item_num, quantity, uom } = LINE;
  const data = {
    orderRequestId: 1,
    url: world.service.url,
    idempotencyKey: 'order-request-1',
    order: { order_info: [{ item_num, quantity, uom, remark: null }] },
  };
  const attempt = {
    ...{ id: randomUUID(), tenantId: 'default', tryNumber: 1 },
    signal: AbortSignal.timeout(20_000),
  };
  const ofTask = { manager: world.api.dataSource.manager, secrets, fetchFor: () => post, ...given };
  return { outcome: await sendOrderTask?.perform(data, attempt, ofTask), posted };
}

describe('a try to send an order', () => {
  it('posts no token to another address than its own, also when another service is set in between', async () => {
    await world.nameService(world.service.url, 'the-first-token');
    const read: Secrets['read'] = async (manager, secret) => {
      await world.nameService(ELSEWHERE, 'a-token-for-elsewhere');
      const token = await secrets.read(manager, secret);
      await world.nameService(world.service.url, 'the-last-token');
      return token;
    };
    const { outcome, posted } = await perform({ secrets: { read } });
    expect(posted).toEqual(['Bearer the-first-token']);
    expect(outcome).toEqual({ kind: 'done', result: { orderNumber: 'SO-1' } });
  });

  it('has sent nothing, and says so, where it could not read where to', async () => {
    const trouble = new Error('the database is away');
    const away = { secrets: { read: () => Promise.reject(trouble) } };
    await expect(perform(away)).resolves.toEqual({
      outcome: {
        kind: 'again',
        fault: { code: 'try_failed', status: null, arrived: 'nothing' },
        trouble,
      },
      posted: [],
    });
  });

  it('answers nothing where it broke over the request: it may have arrived', async () => {
    const fetchFor = () => () => Promise.reject(new Error('unforeseen'));
    await expect(perform({ fetchFor })).rejects.toThrow('unforeseen');
  });
});
