import { describe, expect, it } from '@jest/globals';
import type { ServedSession } from '../../programs/served-sessions.js';
import { findLeftBehind, type LeftBehind } from './left-behind.js';

const session = (state: ServedSession['state']): ServedSession => ({
  caseKey: 'a',
  transport: 'http',
  state,
});
const CLEAN: LeftBehind = {
  sessions: [session('deleted'), session('stream_ended')],
  processes: [],
  tokens: 0,
};

describe('leftovers of an execution', () => {
  it.each([
    ['nothing', CLEAN, 'kill', []],
    ['an expired session of the killed worker', { ...CLEAN, sessions: [session('expired')] }, 'kill', []],
    [
      'an expired session although no worker was killed',
      { ...CLEAN, sessions: [session('expired')] },
      'stop',
      ['1 sessions were left to expire'],
    ],
    [
      'a session too many that has expired',
      { ...CLEAN, sessions: [session('expired'), session('expired')] },
      'kill',
      ['2 sessions were left to expire'],
    ],
    ['an open session', { ...CLEAN, sessions: [session('open')] }, 'kill', ['1 sessions are open']],
    ['a process', { ...CLEAN, processes: [17, 18] }, 'kill', ['processes are left: 17 18']],
    ['a token', { ...CLEAN, tokens: 2 }, 'stop', ['2 tokens are left']],
  ] as const)('is %s', (_name, left, action, found) => {
    expect(findLeftBehind(left, action)).toEqual(found);
  });
});
