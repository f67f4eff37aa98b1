import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expireKeptAnswers, KeptAnswerStore, type KeyedRequest } from '#libs/persistence';
import { PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
let store: KeptAnswerStore;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  store = new KeptAnswerStore(world.dataSource);
});
beforeEach(() => world.dataSource.query('DELETE FROM kept_answer'));
afterAll(() => world.close());

const ANSWER = { status: 201, headers: { location: '/api/skills/1/' }, body: '{"id":1}' };
const request = (more: Partial<KeyedRequest> = {}): KeyedRequest => ({
  ...{ tenantId: 'default', key: 'k', requestHash: 'of the request' },
  claim: randomUUID(),
  ...more,
});
const endOf = (column: 'claimed_until' | 'expires_at'): Promise<unknown> =>
  world.dataSource.query(`UPDATE kept_answer SET ${column} = now() - interval '1 s'`);

describe('a request under a key', () => {
  it('is begun once, under way until it has its answer, and answered from then on', async () => {
    const first = request();
    expect(await store.begin(first)).toEqual({ kind: 'begun' });
    expect(await store.begin(request())).toEqual({ kind: 'under_way' });
    await store.keep(first, ANSWER);
    expect(await store.begin(request())).toEqual({ kind: 'answered', answer: ANSWER });
  });

  it('is begun once of ten at the same time', async () => {
    const starts = await Promise.all(Array.from({ length: 10 }, () => store.begin(request())));
    const kinds = starts.map(({ kind }) => kind).sort();
    expect(kinds).toEqual(['begun', ...Array.from({ length: 9 }, () => 'under_way')]);
  });

  it('is distinguished from another one under the same key, under way and answered', async () => {
    const first = request();
    await store.begin(first);
    expect(await store.begin(request({ requestHash: 'of another' }))).toEqual({ kind: 'key_reused' });
    await store.keep(first, ANSWER);
    expect(await store.begin(request({ requestHash: 'of another' }))).toEqual({ kind: 'key_reused' });
  });

  it('has nothing to do with that of another tenant', async () => {
    const first = request();
    await store.begin(first);
    const theirs = request({ tenantId: 'other' });
    expect(await store.begin(theirs)).toEqual({ kind: 'begun' });
    await store.keep(theirs, { ...ANSWER, body: '{"id":2}' });
    expect(await store.begin(request())).toEqual({ kind: 'under_way' });
    await store.forget({ ...theirs, tenantId: 'default' });
    expect(await store.begin(request())).toEqual({ kind: 'under_way' });
  });

  it('leaves its key free where nothing came of it', async () => {
    const first = request();
    await store.begin(first);
    await store.forget(first);
    expect(await store.begin(request({ requestHash: 'of another' }))).toEqual({ kind: 'begun' });
  });

  it('is begun anew after the claim of a process that died, which writes nothing any more', async () => {
    const dead = request();
    await store.begin(dead);
    await endOf('claimed_until');
    const second = request();
    expect(await store.begin(second)).toEqual({ kind: 'begun' });
    await store.keep(dead, { ...ANSWER, body: '{"id":"of the dead"}' });
    await store.forget(dead);
    expect(await store.begin(request())).toEqual({ kind: 'under_way' });
    await store.keep(second, ANSWER);
    expect(await store.begin(request())).toEqual({ kind: 'answered', answer: ANSWER });
  });

  it('keeps its answer also after its claim', async () => {
    const first = request();
    await store.begin(first);
    await store.keep(first, ANSWER);
    await endOf('claimed_until');
    expect(await store.begin(request())).toEqual({ kind: 'answered', answer: ANSWER });
  });

  it('is begun anew once its answer is kept no longer', async () => {
    const first = request();
    await store.begin(first);
    await store.keep(first, ANSWER);
    await endOf('expires_at');
    expect(await store.begin(request({ requestHash: 'of another' }))).toEqual({ kind: 'begun' });
    expect(await store.begin(request({ requestHash: 'of another' }))).toEqual({ kind: 'under_way' });
  });
});

it('answers are kept for 24 hours, and swept then', async () => {
  await store.begin(request());
  const [row] = await world.dataSource.query<{ hours: number }[]>(
    `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM kept_answer`,
  );
  expect(row).toEqual({ hours: 24 });
  await store.begin(request({ key: 'later' }));
  await world.dataSource.query(`UPDATE kept_answer SET expires_at = now() - interval '1 s' WHERE key = 'k'`);
  await expireKeptAnswers(world.dataSource);
  expect(await world.dataSource.query('SELECT key FROM kept_answer')).toEqual([{ key: 'later' }]);
});
