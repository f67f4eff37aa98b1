import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  EXECUTION,
  LINE,
  ORDERING_ENV,
  OrderingWorld,
} from '../../integration/order-entry/ordering-world.js';
import { chosen, whenAllRun } from '../../support/selection.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { createTestRedis } from '../../support/services/redis-database.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';

const redis = createTestRedis();
const BACKENDS: readonly QueueBackend[] = redis === null ? ['postgres'] : ['postgres', 'redis'];

describe.each(chosen(BACKENDS, (backend) => backend === 'postgres'))(
  'an order that is sent, by the queue of %s',
  (backend) => {
    let world: OrderingWorld;
    let deployment: Deployment;
    let worker: ServiceProcess;

    beforeAll(async () => {
      world = await OrderingWorld.open({ withWorker: false });
      const { url } = world.database;
      deployment = await Deployment.on({ url, drop: () => Promise.resolve() }, backend, {
        LOG_LEVEL: 'error',
        ...ORDERING_ENV,
      });
      await world.nameService();
    });
    beforeEach(async () => {
      worker = await deployment.startWorker();
    });
    afterEach(() => worker.kill());
    afterAll(async () => {
      await deployment.close();
      await world.close();
    });

    const ordersOf = (id: number): number =>
      world.service.entries.filter(({ key }) => key === `order-request-${EXECUTION}-${id}`).length;
    const tasks = (): Promise<{ tries: number; isHeld: boolean }[]> =>
      world.api.dataSource.query(
        `SELECT tries, lease_expires_at IS NOT NULL AS "isHeld" FROM background_task`,
      );
    /** The lease of a worker that died would last for a minute. */
    const endLease = (): Promise<unknown> =>
      world.api.dataSource.query('UPDATE background_task SET lease_expires_at = now(), dispatched_at = NULL');

    it.each(
      chosen(['before the order is taken', 'after it is taken, when nobody knows yet'], (when) =>
        when.startsWith('after'),
      ),
    )('is one order when its worker is killed %s', async (when) => {
      const id = await world.insertOrder([LINE], true);
      const { promise: killed, resolve } = Promise.withResolvers<undefined>();
      if (when.startsWith('before'))
        world.service.instead.push((response) => void killed.then(() => response.destroy()));
      else world.service.beforeAnswer = () => killed;
      const known = world.service.keys.length;
      expect((await world.send(id)).status).toBe(202);
      await waitFor(() => Promise.resolve(world.service.keys.length > known), {
        description: 'the request to be under way',
      });
      await waitFor(() => Promise.resolve(ordersOf(id) === (when.startsWith('before') ? 0 : 1)), {
        description: 'the service to stand there',
      });

      await worker.kill();
      expect(await tasks()).toEqual([{ tries: 1, isHeld: true }]);
      expect(await world.show(id)).toMatchObject({
        status: 'sending',
        sending: { tries: 0, order_number: null },
      });
      resolve(undefined);
      world.service.beforeAnswer = () => Promise.resolve();
      worker = await deployment.startWorker();
      await endLease();

      const sent = await world.settled(id);
      expect(sent).toMatchObject({ status: 'sent', sending: { tries: 2, is_outcome_unknown: false } });
      expect(ordersOf(id)).toBe(1);
      expect(await tasks()).toEqual([]);
      expect((await world.changes(id)).map(({ action }) => action)).toEqual(['sent', 'send_asked']);
    });

    whenAllRun(() => {
      it('is unknown, and not refused, when its worker died over it and the next one is turned away', async () => {
        const id = await world.insertOrder([LINE], true);
        const { promise: killed, resolve } = Promise.withResolvers<undefined>();
        world.service.beforeAnswer = () => killed;
        await world.send(id);
        await waitFor(() => Promise.resolve(ordersOf(id) === 1), { description: 'the order to be taken' });
        await worker.kill();
        resolve(undefined);
        world.service.beforeAnswer = () => Promise.resolve();
        world.service.instead.push((response) => void response.writeHead(403).end());
        worker = await deployment.startWorker();
        await endLease();
        expect(await world.settled(id)).toMatchObject({
          status: 'failed',
          sending: { is_outcome_unknown: true },
        });
        await world.send(id);
        expect(await world.settled(id)).toMatchObject({
          status: 'sent',
          sending: { is_outcome_unknown: false },
        });
        expect(ordersOf(id)).toBe(1);
      });

      it('arrives though no worker was there when it was asked for', async () => {
        await worker.kill();
        const id = await world.insertOrder([LINE], true);
        expect((await world.send(id)).status).toBe(202);
        worker = await deployment.startWorker();
        expect((await world.settled(id)).status).toBe('sent');
        expect(ordersOf(id)).toBe(1);
      });

      it('is accepted or not there when the API is killed over the request: asked again, it is one order', async () => {
        const api = await deployment.startApi({ AUTH: 'off' });
        const ids = await Promise.all(Array.from({ length: 8 }, () => world.insertOrder([LINE], true)));
        const asked = ids.map((id) =>
          fetch(`${api.url}/api/order-requests/${id}/send/`, { method: 'POST' }).then(
            ({ status }) => status,
            () => null,
          ),
        );
        await Promise.race(asked);
        await api.process.kill();
        const statuses = await Promise.all(asked);
        expect(statuses).toContain(202);
        for (const [index, id] of ids.entries()) {
          // An accepted order is never a draft again; a request without an answer leaves either status.
          if (statuses[index] === 202) expect((await world.show(id)).status).not.toBe('draft');
          expect((await world.send(id)).status).toBe(202);
          expect((await world.settled(id)).status).toBe('sent');
          expect(ordersOf(id)).toBe(1);
        }
      });
    });
  },
);
