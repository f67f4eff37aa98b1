import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { says, toTheEnd } from '../../../../test/support/fakes/agents-at-work.js';
import { pipelineOf, stepsOf } from '../../../../test/support/fakes/pipeline-world.js';

const LONG = 'x'.repeat(200_000);
/** Output of the first step: 200 000 characters, and a list of 64 items. */
const LEFT = { long: LONG, items: Array<number>(64).fill(1) };
const READ = { name: 'read', kind: 'llm', prompt: '{{/input}}', output_schema: { type: 'object' } };
const OFTEN = '{{/steps/read/long}}'.repeat(900);
const TOO_LONG =
  'the step next failed: with the values of its places, what it asks for is longer than 1000000 characters';
const each = (inner: JsonObject): JsonObject => ({ kind: 'map', over: '/steps/read/items', do: inner });

describe('a step whose places name more than fits', () => {
  it.each<[string, JsonObject, string]>([
    ['a model', { kind: 'llm', prompt: OFTEN }, TOO_LONG],
    ['an agent', { kind: 'agent', agent: 7, prompt: OFTEN }, TOO_LONG],
    ['a tool', { kind: 'tool', tool: 'search', arguments: { all: [OFTEN, OFTEN] } }, TOO_LONG],
    ['one item', each({ kind: 'llm', prompt: OFTEN }), TOO_LONG],
    [
      'all items together',
      each({ kind: 'tool', tool: 'search', arguments: { one: '{{/steps/read/long}}' } }),
      'the step next failed: with the values of their places, its items ask for more than 4000000 characters',
    ],
  ])('calls no model: %s (S3-35)', async (_what, next, message) => {
    const agents = pipelineOf(stepsOf(READ, { name: 'next', ...next }), {
      read: [says(JSON.stringify(LEFT))],
    });
    expect(await toTheEnd(agents)).toMatchObject({
      outcome: { status: 'failed', error: { code: 'STEP_FAILED', message } },
    });
    expect(agents.planned.map(({ scope }) => scope)).toEqual(['1.0']);
    expect(agents.world.tools.runs.size).toBe(0);
  });
});
