import { describe, expect, it } from '@jest/globals';
import { AppError, type JsonObject } from '#libs/kernel';
import type { LookedUp } from '#libs/payloads';
import type { Asker, LookUps } from '#libs/tooling';
import { buildContentFromAdditionalData } from './with-contents.js';
import { LookedUpData } from './looked-up-data.js';

const OUTAGE = new AppError({ code: 'X', kind: 'unavailable', message: 'away', retryable: true });

interface Given {
  readonly found?: Record<string, string | null | Error>;
  readonly pinned?: LookedUp;
}

/** Findings on orders by number, and the recorded look-ups. */
function world({ found = {}, pinned }: Given = {}) {
  const asked: [unknown, Asker['tenantId'], Asker['userId']][] = [];
  const warned: string[] = [];
  const lookUps: LookUps = new Map([
    [
      'orderId',
      (value, { tenantId, userId }) => {
        asked.push([value, tenantId, userId]);
        const finding = found[JSON.stringify(value)];
        return finding instanceof Error ? Promise.reject(finding) : Promise.resolve(finding ?? null);
      },
    ],
  ]);
  const lookedUp = new LookedUpData({
    ...{ lookUps, tenantId: 'acme', pinned: pinned ?? null, signal: new AbortController().signal },
    classifyStorageError: () => ({ kind: 'ours' }),
    logger: {
      info: () => undefined,
      warn: (_details, message) => warned.push(message),
      error: () => undefined,
    },
  });
  const sources = {
    messageData: { shownToModel: ({ hidden: _hidden, ...shown }: JsonObject) => shown },
    lookedUp,
  };
  const build = (data: JsonObject, userId: string | null = 'u-1') =>
    buildContentFromAdditionalData({ content: 'saved', data }, userId, sources);
  return { build, asked, warned, lookedUp };
}

describe('buildContentFromAdditionalData', () => {
  it.each([{}, { hidden: 'a page' }])(
    'leaves the text of a message as it is that carries %j (S2-26)',
    async (data) => {
      expect(await world().build(data)).toBe('saved');
    },
  );

  it('says what a message carries, and what was looked up of it for its user and tenant (S2-26, S2-27)', async () => {
    const { build, asked } = world({ found: { 5: 'sent' } });
    expect(await build({ orderId: 5, branch: 'Kyoto' })).toBe(
      'saved\n\n\n\norderId: 5 (sent)\nbranch: Kyoto',
    );
    expect(asked).toEqual([[5, 'acme', 'u-1']]);
  });

  it('says what there is, where nothing is found, or the domain fails (S2-26)', async () => {
    const { build, warned } = world({ found: { 5: null, 6: new Error('oops'), 7: '' } });
    for (const orderId of [5, 6, 7])
      expect(await build({ orderId })).toBe(`saved\n\n\n\norderId: ${orderId}`);
    expect(warned).toHaveLength(1);
  });

  it('does not hide that a store is away: the attempt is made again', async () => {
    await expect(world({ found: { 5: OUTAGE } }).build({ orderId: 5 })).rejects.toBe(OUTAGE);
  });

  it('looks a value up once, and no more than 20 of them', async () => {
    const { build, asked } = world({ found: { 5: 'sent' } });
    await build({ orderId: 5 });
    expect(await build({ orderId: 5 })).toContain('5 (sent)');
    expect(asked).toHaveLength(1);
    for (let orderId = 100; orderId < 130; orderId += 1) await build({ orderId });
    expect(asked).toHaveLength(20);
  });

  it('cuts what is said of a value', async () => {
    const { build } = world({ found: { 5: 'x'.repeat(5_000) } });
    expect((await build({ orderId: 5 })).length).toBeLessThan(1_100);
  });

  it('reads for a later attempt what the first one found, and asks nothing (S2-26)', async () => {
    const first = world({ found: { 5: 'a draft' } });
    const content = await first.build({ orderId: 5 });
    const later = world({ found: { 5: 'sent', 6: 'sent' }, pinned: first.lookedUp.found });
    expect(await later.build({ orderId: 5 })).toBe(content);
    expect(await later.build({ orderId: 6 })).toBe('saved\n\n\n\norderId: 6');
    expect(later.asked).toEqual([]);
  });
});
