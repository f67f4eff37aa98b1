import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { buildNextRelease } from '../../support/services/next-release.js';
import type { ServiceCopy } from '../../support/services/service-copy.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';
import { withClient } from '../chaos/cluster/postgres-server.js';
import { DRAINING } from '../programs/program-settings.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import { CRASH_WORKER } from '../services/crash-programs.js';
import { EffectServer } from '../services/effect-server.js';
import { offerWatchedTools } from '../services/offer-watched-tools.js';

const TIMEOUT_MS = 120_000;
const CALL = {
  calls: [{ name: WATCHED_TOOLS.unsafe, arguments: { item: 'a', delay_ms: null, fail: null } }],
};
const ANSWER = { text: 'here you are' };

interface Row {
  readonly status: string;
  readonly attempt: number;
  readonly lost_attempts: number;
  /** True while its next dispatch is delayed, because a newer release is needed. */
  readonly is_put_off: boolean;
  readonly facts: number;
  readonly newest: number;
}

/** This release and the next one, with one more journal version, as real processes on one database. */
describe('two releases at once', () => {
  let next: ServiceCopy;
  let effects: EffectServer;
  let deployment: Deployment;
  let api: ApiClient;
  const workers = new Set<ServiceProcess>();

  beforeAll(async () => {
    [next, effects] = await Promise.all([buildNextRelease(), EffectServer.listen()]);
    // No lease expires within the test: another worker can only go on after a release.
    const settings = { LOG_LEVEL: 'error', LEASE_SECONDS: '600', EFFECT_SERVER_URL: effects.url };
    deployment = await Deployment.open('postgres', settings);
    await offerWatchedTools(deployment.databaseUrl);
    api = new ApiClient((await deployment.startApi()).url);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await deployment.close();
    await Promise.all([next.remove(), effects.close()]);
  }, TIMEOUT_MS);

  const start = async (release: 'this' | 'next'): Promise<ServiceProcess> => {
    const program = release === 'this' ? CRASH_WORKER : next.file(CRASH_WORKER);
    const worker = await deployment.startWorker({}, program);
    workers.add(worker);
    return worker;
  };

  const rowOf = (id: string): Promise<Row | undefined> =>
    withClient(deployment.databaseUrl, async (client) => {
      const { rows } = await client.query<Row>(
        `SELECT status, attempt, lost_attempts, due_at IS NOT NULL AS is_put_off,
                count(j)::int AS facts, coalesce(max(j.version), 0) AS newest
           FROM execution e LEFT JOIN journal_entry j ON j.execution_id = e.id WHERE e.id = $1 GROUP BY e.id`,
        [id],
      );
      return rows[0];
    });

  const endDelay = (id: string): Promise<unknown> =>
    withClient(deployment.databaseUrl, (client) =>
      client.query(`UPDATE execution SET due_at = NULL WHERE id = $1 AND status = 'queued'`, [id]),
    );

  /** Starts a worker and asks it to stop within its first tool call, of which it still writes the outcome. */
  async function workUntilCall(release: 'this' | 'next'): Promise<void> {
    const gate = Promise.withResolvers<undefined>();
    const arrived = Promise.withResolvers<undefined>();
    effects.beforeAnswer = () => {
      arrived.resolve(undefined);
      return gate.promise;
    };
    const worker = await start(release);
    await arrived.promise;
    const exit = worker.stop();
    await waitFor(() => worker.log.includes(DRAINING), { description: 'the worker to drain' });
    effects.beforeAnswer = () => Promise.resolve();
    gate.resolve(undefined);
    expect(await exit).toBe(0);
  }

  afterEach(async () => {
    await Promise.all([...workers].map((worker) => worker.stop()));
    workers.clear();
  });

  it(
    'work begun by the next release is left alone by this one, with a delay, and finished by the next one',
    async () => {
      const { id } = await api.submit({ input: scripted(CALL, ANSWER) });
      await workUntilCall('next');
      const begun = await rowOf(id);
      expect(begun).toMatchObject({ status: 'queued', attempt: 1, lost_attempts: 0 });

      await start('this');
      const findPutOff = async (): Promise<Row | null> => {
        const row = await rowOf(id);
        return row?.is_put_off === true ? row : null;
      };
      const putOff = await waitFor(findPutOff, { description: 'it to be put off' });
      // The claim and the delay repeat, with longer and longer delays.
      expect(putOff).toEqual({ ...begun, attempt: expect.any(Number), is_put_off: true });
      expect(putOff.attempt).toBeGreaterThan(1);
      const { id: other } = await api.submit({ input: scripted(ANSWER) });
      expect(await api.settled(other)).toMatchObject({ status: 'completed', attempt: 1 });

      await start('next');
      const isSettled = async (): Promise<boolean> => {
        // The worker of this release may claim it first each time.
        await endDelay(id);
        return (await rowOf(id))?.status === 'completed';
      };
      await waitFor(isSettled, {
        description: 'the next release to finish it',
        intervalMs: 200,
      });
      expect(await rowOf(id)).toMatchObject({ lost_attempts: 0, newest: begun?.newest });
      expect(effects.callsOf(id)).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it(
    'work begun by this release continues in the next one, and back in this one while the next has written nothing new',
    async () => {
      const { id } = await api.submit({ input: scripted(CALL, CALL, ANSWER) });
      await workUntilCall('this');
      const begun = await rowOf(id);

      await workUntilCall('next');
      const continued = await rowOf(id);
      expect(continued).toMatchObject({ status: 'queued', attempt: 2, newest: begun?.newest });
      expect(continued?.facts).toBeGreaterThan(begun?.facts ?? Infinity);

      await start('this');
      expect(await api.settled(id)).toMatchObject({ status: 'completed', attempt: 3 });
      expect(await rowOf(id)).toMatchObject({ lost_attempts: 0 });
      expect(effects.callsOf(id)).toHaveLength(2);
    },
    TIMEOUT_MS,
  );
});
