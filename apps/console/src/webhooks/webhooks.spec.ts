import { describe, expect, it } from '@jest/globals';
import { deliveryQueryOf, deliveryViewOf, eventWord, filterOf, webhooksViewOf } from './webhooks-search.js';

const RUN = '01a220af-e456-76c3-931f-a1fc533d5055';

describe('the address of the deliveries', () => {
  const search = {
    ...{ tab: 'deliveries', status: 'exhausted', event: 'execution.failed', endpoint: '2', run: RUN },
    ...{ since: '24h', open: 'evt_01', other: 1 },
  };
  const filter = {
    status: 'exhausted',
    event: 'execution.failed',
    endpoint: 2,
    run: RUN,
    since: '24h',
  } as const;

  it('holds filter, view and the delivery that is open', () => {
    expect(webhooksViewOf(search)).toEqual({ tab: 'deliveries', ...filter, open: 'evt_01' });
    expect(filterOf(deliveryViewOf(search))).toEqual(filter);
  });

  it.each([
    { status: 'x' },
    { event: 'x' },
    { endpoint: 0 },
    { run: 'x' },
    { since: 'toString' },
    { open: '../x' },
    { tab: 'x' },
  ])('passes over %j', (given) => {
    expect(webhooksViewOf(given)).toEqual({});
  });

  it('asks the same within a minute', () => {
    const now = Date.parse('2026-11-28T12:00:42.500Z');
    const asked = {
      ...{ status: 'exhausted', type: 'execution.failed', endpoint_id: 2, execution_id: RUN },
      from: '2026-11-27T12:00:00.000Z',
    };
    expect(deliveryQueryOf(filter, now)).toEqual(asked);
    expect(deliveryQueryOf(filter, now + 10_000)).toEqual(asked);
  });
});

it('an event is named without what all have in common', () => {
  expect(eventWord('execution.requires_action')).toBe('requires action');
  expect(eventWord('webhook.test')).toBe('test');
});
