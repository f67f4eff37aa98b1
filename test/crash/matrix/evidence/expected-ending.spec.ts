import { expect, it } from '@jest/globals';
import { expectedEnding } from './expected-ending.js';

it.each([
  ['a killed worker', 'settle.after_commit_before_events', 'kill', 'idempotent', true],
  [
    'one that was killed before it knew of its commit',
    'settle.commit_sent_no_ack',
    'kill',
    'idempotent',
    true,
  ],
  ['one that was killed while it delivers the result', 'webhook.before_post', 'kill', 'idempotent', true],
  ['one that goes on', 'settle.after_commit_before_events', 'stop', 'idempotent', false],
  ['one whose execution is followed', 'settle.after_commit_before_events', 'kill', 'read', false],
  ['one whose attempt is lost', 'settle.before_commit', 'kill', 'idempotent', false],
] as const)('%s may lose events of the ending: %s, %s, %s', (_what, point, action, effect, isLost) => {
  expect(expectedEnding({ point, action, effect }).losesEvents).toBe(isLost);
});
