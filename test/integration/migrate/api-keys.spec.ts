import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyStore, createDataSource, parseApiKey } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import {
  createApiKey,
  describeApiKey,
  listApiKeys,
  parseExpiry,
  parseKeyId,
  parseOverlap,
  revokeApiKey,
  rotateApiKey,
} from '../../../apps/migrate/src/api-keys.js';
import { wholeDatabase } from '../../../apps/migrate/src/database.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createSeededDatabase();
  dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
});
beforeEach(() => dataSource.query('DELETE FROM api_key'));
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const make = (name: string, more: { tenantId?: string; scopes?: string[]; expiresAt?: Date } = {}) =>
  createApiKey(database.url, { tenantId: 'default', name, scopes: ['agents:read'], ...more });
const idOf = (key: string): string => parseApiKey(key)?.id ?? '';
const isUsable = async (key: string): Promise<boolean> =>
  (await new ApiKeyStore(dataSource).find(idOf(key))) !== null;

describe('at the command line', () => {
  it('keys are made, with an end or without, and listed without their secrets', async () => {
    const first = await make('one', { tenantId: 'acme', expiresAt: new Date('2999-01-01') });
    const second = await make('two\nlines');

    const all = await listApiKeys(database.url);

    expect(all.map(({ id }) => id)).toEqual([second, first].map(idOf));
    expect((await listApiKeys(database.url, 'acme')).map(({ name }) => name)).toEqual(['one']);
    const lines = all.map(describeApiKey);
    expect(lines[0]).toMatch(
      /^[0-9a-f]{16}\tdefault\tactive\tmade .+Z\tno end\tnever used\tagents:read\t"two\\nlines"$/,
    );
    expect(lines[1]).toContain('\tends 2999-01-01T00:00:00.000Z\t');
    for (const key of [first, second]) expect(JSON.stringify(all)).not.toContain(key.slice(21));
    await expect(make('late', { expiresAt: new Date('2020-01-01') })).rejects.toThrow(
      'must be in the future',
    );
  });

  it('a key is rotated: both are good, or the old one ends at once', async () => {
    const old = await make('one');

    const next = await rotateApiKey(database.url, idOf(old), 60);
    expect([await isUsable(old), await isUsable(next)]).toEqual([true, true]);
    const last = await rotateApiKey(database.url, idOf(next), 0);
    expect([await isUsable(next), await isUsable(last)]).toEqual([false, true]);

    await expect(rotateApiKey(database.url, idOf(old), 0)).rejects.toThrow(
      `${idOf(next)} replaces ${idOf(old)}`,
    );
    await expect(rotateApiKey(database.url, idOf(next), 0)).rejects.toThrow('revoked or expired');
    await expect(rotateApiKey(database.url, '0123456789abcdef', 0)).rejects.toThrow('there is no API key');
  });

  it('a key is revoked, the last one with the scope admin only by force', async () => {
    const [key, admin] = [await make('one'), await make('root', { scopes: ['admin'] })];

    await revokeApiKey(database.url, idOf(key), false);
    await expect(revokeApiKey(database.url, idOf(admin), false)).rejects.toThrow('give --force');
    expect([await isUsable(key), await isUsable(admin)]).toEqual([false, true]);
    await revokeApiKey(database.url, idOf(admin), true);
    expect(await isUsable(admin)).toBe(false);
    await expect(revokeApiKey(database.url, '0123456789abcdef', false)).rejects.toThrow(
      'there is no API key',
    );
  });

  it('a database that is not migrated is left as it is', async () => {
    const empty = await createTestDatabase();
    try {
      await expect(listApiKeys(empty.url)).rejects.toMatchObject({ code: 'DATABASE_NOT_MIGRATED' });
    } finally {
      await empty.drop();
    }
  });
});

describe('an option', () => {
  const ID = '0123456789abcdef';
  it.each([ID, `csk_${ID}`, ` csk_${ID}_${'x'.repeat(43)}`])('%s names a key', (text) =>
    expect(parseKeyId(text)).toBe(ID),
  );
  it.each(['', 'one', `${ID}0`, ID.toUpperCase(), `sk_${ID}`])('%j names none', (text) =>
    expect(() => parseKeyId(text)).toThrow('16 hexadecimal digits'),
  );
  it.each([
    ['2999-01-02', '2999-01-02T00:00:00.000Z'],
    ['2999-01-02T09:00+09:00', '2999-01-02T00:00:00.000Z'],
  ])('%s is a time', (text, time) => expect(parseExpiry(text).toISOString()).toBe(time));
  it.each(['tomorrow', '2999-01-02T00:00:00', '2999-13-40', '30'])('%s is no time', (text) =>
    expect(() => parseExpiry(text)).toThrow('--expires-at must be a day'),
  );
  it.each([
    ['0', 0],
    ['720', 2_592_000],
  ])('%s hours are seconds', (text, seconds) => expect(parseOverlap(text)).toBe(seconds));
  it.each(['721', '-1', '1.5', '', 'x'])('%j are no hours', (text) =>
    expect(() => parseOverlap(text)).toThrow('from 0 to 720'),
  );
});
