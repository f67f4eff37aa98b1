import { describe, expect, it } from '@jest/globals';
import { endingOf, type ChildEnding } from './isolation-protocol.js';

const BEGUN: ChildEnding = {
  isDone: false,
  hasBegun: true,
  wasStopped: false,
  isDraining: false,
  signal: null,
};

describe('the end of a process with a suspect', () => {
  it.each<[string, Partial<ChildEnding>, string]>([
    ['by itself, without a message', {}, 'died'],
    ['by itself, without a message, while its worker drains', { isDraining: true }, 'died'],
    ['by a crash of its memory', { signal: 'SIGABRT' }, 'died'],
    ['by a crash of its memory, while its worker drains', { signal: 'SIGABRT', isDraining: true }, 'died'],
    ['killed, as it does itself when it hangs', { signal: 'SIGKILL' }, 'died'],
    ['killed while its worker drains', { signal: 'SIGKILL', isDraining: true }, 'cut_off'],
    ['asked to stop from outside', { signal: 'SIGTERM' }, 'cut_off'],
    ['interrupted', { signal: 'SIGINT' }, 'cut_off'],
    ['with its terminal', { signal: 'SIGHUP' }, 'cut_off'],
    ['before it had the claim', { hasBegun: false }, 'not_started'],
    ['before it had the claim, while its worker drains', { hasBegun: false, isDraining: true }, 'broke_off'],
    [
      'before it had the claim, its worker had lost the lease',
      { hasBegun: false, wasStopped: true },
      'broke_off',
    ],
    ['after its worker had lost the lease', { wasStopped: true, signal: 'SIGKILL' }, 'cut_off'],
    ['after its last word', { isDone: true, signal: 'SIGTERM' }, 'done'],
  ])('%s', (_how, ending, expected) => {
    expect(endingOf({ ...BEGUN, ...ending })).toBe(expected);
  });
});
