import { expect, it } from '@jest/globals';
import type { CallVerdict } from '#libs/tooling';
import { abandoned } from './begun-calls.js';
import type { ToolCallState } from './scope-state.js';

it.each<[string, CallVerdict, string]>([
  ['reads', { kind: 'run', effect: 'read', input: {} }, 'refused'],
  ['may be repeated', { kind: 'run', effect: 'idempotent', input: {} }, 'outcome_unknown'],
  ['has vanished', { kind: 'refuse', reason: 'unknown_tool', output: 'no such tool' }, 'outcome_unknown'],
])('a call that began and is given up, of a tool that %s', (_tool, verdict, status) => {
  const call = { round: 2, position: 1 } as ToolCallState;
  expect(abandoned(call, verdict)).toMatchObject({
    kind: 'tool_call_settled',
    round: 2,
    position: 1,
    outcome: { status },
  });
});
