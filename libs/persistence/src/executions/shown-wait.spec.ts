import { expect, it } from '@jest/globals';
import type { WaitingFor } from '#libs/payloads';
import { shownWait, waitOfCalls, type WaitRow } from './shown-wait.js';

const day = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));
const stored = (kind: WaitingFor['kind']): WaitingFor => ({
  kind,
  name: 'crm',
  since: '2026-01-01T03:00:00+00:00',
  next_try_at: null,
  message: 'away',
});
const row = (more: Partial<WaitRow>): WaitRow => ({
  status: 'queued',
  session_id: 'a session',
  waiting_for: null,
  pending_calls: null,
  head_since: day(2),
  due_at: null,
  deadline_at: null,
  approval_expires_at: null,
  created_at: day(1),
  ...more,
});

it.each<[string, Partial<WaitRow>, Partial<WaitingFor> | null]>([
  [
    'a free worker, since it heads its session',
    {},
    { kind: 'slot', name: null, since: day(2).toISOString(), next_try_at: null },
  ],
  ['a free worker, from a time on', { due_at: day(4) }, { kind: 'slot', next_try_at: day(4).toISOString() }],
  [
    'the execution before it',
    { head_since: null },
    { kind: 'conversation', name: 'a session', since: day(1).toISOString() },
  ],
  [
    'a tool server, in the line',
    { waiting_for: stored('tool_server') },
    { kind: 'tool_server', since: '2026-01-01T03:00:00.000Z' },
  ],
  [
    'a tool server, while it is tried',
    { status: 'running', waiting_for: stored('tool_server') },
    { kind: 'tool_server' },
  ],
  [
    'a limit, while it runs',
    { status: 'running', waiting_for: stored('rate_limit') },
    { kind: 'rate_limit' },
  ],
  ['nothing, while it runs', { status: 'running' }, null],
  ['nothing of a person any more', { status: 'running', waiting_for: stored('approval') }, null],
  ['a free worker, once a person has decided', { waiting_for: stored('approval') }, { kind: 'slot' }],
  [
    'a person',
    { status: 'requires_action', waiting_for: stored('outcome') },
    { kind: 'outcome', name: 'crm' },
  ],
  [
    'a person, as an older release has parked it',
    { status: 'requires_action', pending_calls: [{ tool_name: 'pay', asks: 'approval' }] },
    { kind: 'approval', name: 'pay', since: day(1).toISOString() },
  ],
  ['nothing, since it has ended', { status: 'failed', waiting_for: stored('tool_server') }, null],
])('an execution waits for %s', (_name, more, expected) => {
  const shown = shownWait(row(more));
  if (expected === null) expect(shown).toBeNull();
  else expect(shown).toMatchObject(expected);
});

it.each<[string, Partial<WaitRow>, string | null]>([
  ['no time before its first attempt', {}, null],
  ['the deadline of the execution', { deadline_at: day(9) }, day(9).toISOString()],
  [
    'the end of the time for a decision',
    { status: 'requires_action', waiting_for: stored('approval'), approval_expires_at: day(8) },
    day(8).toISOString(),
  ],
  [
    'the deadline again, once a person has decided',
    { waiting_for: stored('approval'), approval_expires_at: day(8), deadline_at: day(9) },
    day(9).toISOString(),
  ],
])('a wait ends at the latest at %s', (_name, more, expected) => {
  expect(shownWait(row(more))?.deadline_at).toBe(expected);
});

it('asks first what became of a call', () => {
  const calls = [
    { tool_name: 'pay', asks: 'approval' as const },
    { tool_name: 'send', asks: 'outcome' as const },
  ];
  expect(waitOfCalls(calls)).toMatchObject({ kind: 'outcome', name: 'send' });
  expect(waitOfCalls([])).toMatchObject({ kind: 'approval', name: null });
});
