import { describe, expect, it } from '@jest/globals';
import type { Wait } from '#libs/agent-core';
import type { ExecutionEvent, WaitingFor } from '#libs/payloads';
import { ManualTime } from '../../../../test/support/fakes/manual-time.js';
import { AttemptWaits, isEmitted } from './attempt-waits.js';

const LIMIT: Wait = { kind: 'rate_limit', name: 'a-model', message: 'slow down', nextTryMs: 3_000 };
const FIRST_BYTE: Wait = { kind: 'model_first_byte', name: 'a-model', message: 'silent', nextTryMs: null };
const AWAY: WaitingFor = {
  kind: 'provider_backoff',
  name: 'a-model',
  since: '1970-01-01T00:00:00.000Z',
  next_try_at: '1970-01-01T00:00:05.000Z',
  message: 'away',
};
const at = (ms: number): string => new Date(ms).toISOString();
const settle = () => new Promise((resolve) => setImmediate(resolve));

function waits(
  inherited: WaitingFor | null = null,
  store?: (waiting: WaitingFor | null) => Promise<unknown>,
) {
  const time = new ManualTime();
  const events: ExecutionEvent[] = [];
  const stored: (WaitingFor | null)[] = [];
  const keep = (waiting: WaitingFor | null): Promise<unknown> => {
    stored.push(waiting);
    return store?.(waiting) ?? Promise.resolve();
  };
  const sink = {
    emit: (event: ExecutionEvent) => void events.push(event),
    flush: () => Promise.resolve(),
    isFollowed: () => true,
  };
  const notices = new AttemptWaits({ events: sink, clock: time, timers: time, store: keep }, inherited);
  return { time, events, stored, notices };
}

describe('waits of an attempt', () => {
  it('is shown and stored while it lasts', async () => {
    const { events, stored, notices } = waits();
    const end = notices.begin(LIMIT);
    const shown = { ...LIMIT, since: at(0), next_try_at: at(3_000) };
    expect(events).toEqual([
      {
        event: 'waiting',
        data: {
          kind: 'rate_limit',
          name: 'a-model',
          message: 'slow down',
          since: at(0),
          next_try_at: at(3_000),
        },
      },
    ]);
    await settle();
    end('over');
    end('over');
    expect(events.at(-1)).toEqual({
      event: 'waiting',
      data: { kind: null, name: null, since: null, next_try_at: null, message: '' },
    });
    await settle();
    expect(stored).toEqual([{ ...events[0]?.data }, null]);
    expect(stored[0]).toMatchObject({ kind: shown.kind, since: shown.since });
  });

  it('is not shown where it ends sooner than that is worth, and is where it lasts', async () => {
    const { time, events, notices } = waits();
    notices.begin(FIRST_BYTE, 5_000)('answered');
    await time.pass(5_000);
    expect(events).toEqual([]);
    notices.begin(FIRST_BYTE, 5_000);
    await time.pass(5_000);
    expect(events).toMatchObject([
      { data: { kind: 'model_first_byte', since: at(5_000), next_try_at: null } },
    ]);
  });

  it.each([
    [0, false],
    [999, false],
    [1_000, true],
    [null, true],
  ])('are an event after %s ms: %s', (nextTryMs, emitted) => {
    expect(isEmitted({ nextTryMs })).toBe(emitted);
  });

  it('is stored and no event where the pause is short', async () => {
    const { events, stored, notices } = waits();
    const end = notices.begin({ ...LIMIT, nextTryMs: 400 });
    await settle();
    end('over');
    await settle();
    expect(stored).toMatchObject([{ kind: 'rate_limit', next_try_at: at(400) }, null]);
    expect(events).toEqual([]);
  });

  it('is no event any more once only a short pause is left', () => {
    const { events, notices } = waits();
    const end = notices.begin(LIMIT);
    const endShort = notices.begin({ ...LIMIT, name: 'other', nextTryMs: 400 });
    end('over');
    endShort('over');
    expect(events).toMatchObject([
      { data: { kind: 'rate_limit', name: 'a-model' } },
      { data: { kind: null } },
    ]);
  });

  it('is one wait over several tries, until it is answered', async () => {
    const { time, events, notices } = waits();
    notices.begin(LIMIT)('over');
    await time.pass(4_000);
    const second = notices.begin(LIMIT);
    expect(events.at(-1)).toMatchObject({ data: { since: at(0), next_try_at: at(7_000) } });
    second('answered');
    notices.begin(LIMIT);
    expect(events.at(-1)).toMatchObject({ data: { since: at(4_000) } });
  });

  it('is the first of several at once, then the next', () => {
    const { events, notices } = waits();
    const first = notices.begin(LIMIT);
    const second = notices.begin({ ...LIMIT, name: 'other' });
    expect(events).toHaveLength(1);
    first('over');
    expect(events.at(-1)).toMatchObject({ data: { name: 'other' } });
    second('over');
    expect(events.at(-1)).toMatchObject({ data: { kind: null } });
  });

  it('goes on from before, until something ends here', async () => {
    const { events, stored, notices } = waits(AWAY);
    expect([events, stored]).toEqual([[], []]);
    notices.begin(FIRST_BYTE, 5_000)('answered');
    await settle();
    expect([events, stored]).toMatchObject([[{ data: { kind: null } }], [null]]);
    expect(notices.begin({ ...LIMIT, kind: 'provider_backoff' })).toBeDefined();
    expect(events.at(-1)).toMatchObject({ data: { kind: 'provider_backoff', since: at(0) } });
  });

  it('is stored in its last state, also after the store was slow or rejected', async () => {
    const first = Promise.withResolvers<undefined>();
    const { stored, notices } = waits(null, (waiting) =>
      waiting?.name === 'a-model' ? first.promise : Promise.resolve(),
    );
    const end = notices.begin(LIMIT);
    end('over');
    notices.begin({ ...LIMIT, name: 'other' });
    expect(stored).toHaveLength(1);
    first.reject(new Error('no database'));
    await settle();
    expect(stored.map((waiting) => waiting?.name)).toEqual(['a-model', 'other']);
  });
});
