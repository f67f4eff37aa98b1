import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ask } from '../../integration/api/http-client.js';
import { CONNECTIONS_ENV, ConnectionsWorld } from '../../integration/tool-servers/connections-world.js';
import { chosen, whenAllRun } from '../../support/selection.js';
import { Deployment } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';

const QUICK = { LOG_LEVEL: 'error', DISPATCH_INTERVAL_MS: '100', DISPATCH_AGAIN_SECONDS: '1' };

let world: ConnectionsWorld;
let deployment: Deployment;
let worker: ServiceProcess;
let server: string;
/** The tokens of each user in the order of their revocation, the refresh token first. */
let tokens: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  world = await ConnectionsWorld.open({ withWorker: false });
  const { url } = world.database;
  deployment = await Deployment.on({ url, drop: () => Promise.resolve() }, 'postgres', {
    ...QUICK,
    ...CONNECTIONS_ENV,
  });
});
beforeEach(async () => {
  server = await world.reset();
  worker = await deployment.startWorker();
  tokens = { mara: await connect('mara'), noa: await connect('noa') };
});
afterEach(() => worker.kill());
afterAll(async () => {
  await deployment.close();
  await world.close();
});

async function connect(user: string): Promise<string[]> {
  const { issued } = world.authorization;
  const known = issued.length;
  expect((await world.connect(server, user)).status).toBe(200);
  return issued.slice(known).toReversed();
}

interface Row {
  readonly tries: number;
  readonly isHeld: boolean;
}

const waiting = (): Promise<Row[]> =>
  world.api.dataSource.query<Row[]>(
    `SELECT tries, lease_expires_at IS NOT NULL AS "isHeld" FROM background_task`,
  );

/** Holds the answers to the revocation of these tokens until the release, and counts the waiting rows at each revocation. */
function holdAt(held: readonly string[]) {
  const rows: number[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  world.authorization.beforeRevocationAnswer = async (token) => {
    rows.push((await waiting()).length);
    if (held.includes(token)) await released;
  };
  return { rows, release };
}

it.each(
  chosen(
    [
      ['between the two tokens of a user', { mara: 0, noa: 0 }, 2],
      ['between the tokens of two users', { mara: 2, noa: 0 }, 1],
      ['when all are revoked, and nobody knows yet', { mara: 1, noa: 1 }, 2],
    ] as const,
    ([where]) => where === 'between the two tokens of a user',
  ),
)(
  'a worker that is killed %s leaves no token good, and no row is gone before',
  async (_where, heldFrom, rowsLeft) => {
    const { mara = [], noa = [] } = tokens;
    const all = [...mara, ...noa];
    const held = holdAt([...mara.slice(heldFrom.mara), ...noa.slice(heldFrom.noa)]);
    const { status } = await ask(world.api.url, `/api/mcp-servers/${server}/`, { method: 'DELETE' });
    expect(status).toBe(204);
    const { revoked } = world.authorization;
    const untilThen = [...mara.slice(0, heldFrom.mara + 1), ...noa.slice(0, heldFrom.noa + 1)].toSorted();
    await waitFor(async () => revoked.length === untilThen.length && (await waiting()).length === rowsLeft, {
      description: 'the worker to stand there',
    });
    expect(revoked.toSorted()).toEqual(untilThen);

    await worker.kill();
    expect(await waiting()).toEqual(Array.from({ length: rowsLeft }, () => ({ tries: 1, isHeld: true })));
    held.release();
    worker = await deployment.startWorker();
    // The lease of the task would last for a minute.
    await world.api.dataSource.query('UPDATE background_task SET lease_expires_at = now()');
    await waitFor(async () => (await waiting()).length === 0, { description: 'no row to be left' });

    expect(new Set(revoked)).toEqual(new Set(all));
    expect(held.rows).not.toContain(0);
    for (const token of all) expect(world.authorization.scopeOf(token)).toBeNull();
  },
);

whenAllRun(() => {
  it('a worker that is killed before it begins leaves the row to the next one', async () => {
    await worker.kill();
    const { status } = await ask(world.api.url, `/api/mcp-servers/${server}/`, { method: 'DELETE' });
    expect(status).toBe(204);
    expect(await waiting()).toHaveLength(2);
    worker = await deployment.startWorker();
    await waitFor(async () => (await waiting()).length === 0, { description: 'no row to be left' });
    expect(new Set(world.authorization.revoked)).toEqual(new Set(Object.values(tokens).flat()));
  });
});
