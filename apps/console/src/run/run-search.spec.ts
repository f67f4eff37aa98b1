import { describe, expect, it } from '@jest/globals';
import { runSearchOf } from './run-search.js';

describe('the address of a run', () => {
  it.each([
    [{ step: '1.0' }],
    [{ tab: 'timeline', step: '1.0' }],
    [{ tab: 'steps', step: '1.0' }],
    [{ tab: 'webhooks', delivery: 'evt_01' }],
    [{ tab: 'raw' }],
  ])('holds %j', (search) => expect(runSearchOf({ ...search, other: 'x' })).toEqual(search));

  it.each([
    [{ tab: 'conversation', step: '1.0' }, { tab: 'conversation' }],
    [{ tab: 'webhooks', step: '1.0' }, { tab: 'webhooks' }],
    [{ tab: 'steps', delivery: 'evt_01' }, { tab: 'steps' }],
    [{ delivery: 'evt_01' }, {}],
  ])('opens nothing that the tab does not show: %j', (search, expected) => {
    expect(runSearchOf(search)).toEqual(expected);
  });

  it.each([[{ tab: 'x' }], [{ step: 7 }], [{ step: 'x'.repeat(201) }]])('holds nothing of %j', (search) => {
    expect(runSearchOf(search)).toEqual({});
  });

  it('holds no delivery of another form', () => {
    expect(runSearchOf({ tab: 'webhooks', delivery: '../x' })).toEqual({ tab: 'webhooks' });
  });
});
