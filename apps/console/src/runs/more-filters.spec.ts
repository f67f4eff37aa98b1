import { describe, expect, it } from '@jest/globals';
import { MORE_FILTERS, moreFiltersOf, moreQueryOf, type MoreName } from './more-filters.js';

const ALL = {
  ...{ text: 'roma tomatoes', executor: 'mara', tool: 'look', error: 'SDK_ERROR', meta: 'ticket=a=b' },
  ...{ cost: '0.25', duration: '1.5', agentVersion: '3' },
};

describe('the typed filters of the runs', () => {
  it('are texts in an address, and parameters of the API', () => {
    expect(moreFiltersOf({ ...ALL, agentVersion: 3, other: 'x' }, true)).toEqual(ALL);
    expect(moreQueryOf(ALL)).toEqual({
      ...{ input: 'roma tomatoes', executor_id: 'mara', tool_name: 'look', error_code: 'SDK_ERROR' },
      ...{ metadata: { ticket: 'a=b' }, min_cost_usd: '0.25', min_duration_ms: 1500, agent_version: 3 },
    });
    expect(moreQueryOf({})).toEqual({});
  });

  it('hold a version of a chosen agent alone', () => {
    expect(moreFiltersOf({ agentVersion: '3' }, false)).toEqual({});
  });

  it.each<[MoreName, string]>([
    ['text', 'ab'],
    ['executor', ''],
    ['tool', 'x'.repeat(129)],
    ['error', 'lower case'],
    ['meta', 'ticket'],
    ['meta', '=x'],
    ['cost', '1e9'],
    ['duration', '-1'],
    ['agentVersion', '0'],
  ])('say what is wrong with a %s of %j', (name, text) => {
    expect(MORE_FILTERS[name].faultOf(text)).toMatch(/^must /);
    expect(moreFiltersOf({ [name]: text }, true)).toEqual({});
  });
});
