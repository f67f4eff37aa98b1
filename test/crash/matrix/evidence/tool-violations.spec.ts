import { describe, expect, it } from '@jest/globals';
import type { ToolEffect } from '#libs/tooling';
import { expectedEnding } from './expected-ending.js';
import { ofTool } from './tool-violations.js';

type Evidence = Parameters<typeof ofTool>[0];

const call = (idempotencyKey: string | null = 'e.1.0', tookEffect = true) => ({
  callKey: idempotencyKey ?? 'a call without its key',
  idempotencyKey,
  tookEffect,
});
const step = (status: string): Evidence['steps'][number] => ({
  ...{ scope: '', round: 1, position: 0, tool_name: 'mcp__http__watched_charge' },
  ...{ status, input: {}, output: {} },
});
const STARTED = {
  sequence: 1,
  epoch: 1,
  scope: '',
  kind: 'tool_call_started',
  data: { round: 1, position: 0 },
};

function world(more: Partial<Evidence> = {}): Evidence {
  return { calls: [call()], steps: [step('succeeded')], journal: [STARTED], view: { id: 'e' }, ...more };
}

/** The expected ending when a worker is killed while the tool runs. */
const killed = (effect: ToolEffect) => expectedEnding({ point: 'tool.during_call', action: 'kill', effect });

describe('the log of a tool server about a worker that was killed in its call', () => {
  it.each<[string, ToolEffect, Evidence]>([
    ['an unsafe tool, once', 'unsafe', world({ steps: [step('outcome_unknown')] })],
    ['a tool that reads, again', 'read', world({ calls: [call(), call()] })],
    [
      'an idempotent tool, again under the same key',
      'idempotent',
      world({ calls: [call(), call('e.1.0', false)] }),
    ],
  ])('is in order: %s', (_name, effect, evidence) => {
    expect(ofTool(evidence, killed(effect))).toEqual([]);
  });

  it.each<[string, ToolEffect, Evidence, string]>([
    [
      'an unsafe tool twice',
      'unsafe',
      world({ calls: [call(), call()], steps: [step('outcome_unknown')] }),
      'the tool took effect 2 times',
    ],
    ['no repeat of one that reads', 'read', world(), 'the tool was called 1 times'],
    [
      'a repeat under another key',
      'idempotent',
      world({ calls: [call(), call('e.1.1')] }),
      'one call has the keys e.1.0, e.1.1',
    ],
    ['calls without a key', 'read', world({ calls: [call(null), call(null)] }), 'a call came without a key'],
    [
      'a call of which the journal knows nothing',
      'unsafe',
      world({ journal: [], steps: [step('outcome_unknown')] }),
      'a call that the journal does not know was made',
    ],
    ['an outcome that cannot be known', 'unsafe', world(), 'the audit says succeeded'],
    [
      'an effect that never was',
      'read',
      world({ calls: [call('e.1.0', false), call('e.1.0', false)] }),
      'the audit reports an effect that never was',
    ],
  ])('is noticed: %s', (_name, effect, evidence, violation) => {
    expect(ofTool(evidence, killed(effect))).toContain(violation);
  });
});
