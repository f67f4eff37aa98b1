import { describe, expect, it } from '@jest/globals';
import { defineAgent, definePipeline, defineTool, type AgentTestOptions } from '#libs/kit';
import { z } from 'zod';
import { call, killAtEveryCommit, testAgent } from './agent-testing.js';

describe('a pipeline in memory', () => {
  const payments: number[] = [];
  const amounts = z.object({ amount: z.number() });
  const charge = defineTool({
    name: 'charge',
    description: 'Charges.',
    input: amounts,
    effect: 'unsafe',
    onUnknown: 'ask',
    run: ({ amount }) => {
      payments.push(amount);
      return { paid: amount };
    },
  });
  const search = defineTool({
    name: 'search',
    description: 'Searches.',
    input: z.object({ words: z.string() }),
    effect: 'read',
    run: ({ words }) => ({ price: words.length }),
  });
  const reviewer = defineAgent({ name: 'reviewer', instruction: 'You review.', tools: [search] });
  const till = definePipeline({
    name: 'till',
    instruction: 'You charge.',
    steps: [
      { name: 'read', kind: 'llm', prompt: 'Read {{/input}}', output: amounts, tools: [search] },
      { name: 'pay', kind: 'tool', tool: charge, arguments: { amount: '{{/steps/read/amount}}' } },
      { name: 'skipped', kind: 'llm', prompt: 'x', when: { value: '/steps/pay/paid', at_least: 9 } },
      { name: 'review', kind: 'agent', agent: reviewer, prompt: 'Paid {{/steps/pay/paid}}' },
    ],
  });
  const options: AgentTestOptions = {
    input: 'tea',
    model: {
      read: [call(search, { words: 'tea' }), '{"amount": "three"}', '{"amount": 3}'],
      review: [call(search, { words: 'sugar' }), 'Reviewed.'],
    },
    effects: () => payments,
  };

  it('runs its steps, and asks once more for an answer that does not match', async () => {
    const { outcome, calls } = await testAgent(till, options);
    expect(outcome).toEqual({ status: 'completed', text: 'Reviewed.' });
    expect(calls).toMatchObject([
      { tool: 'search', input: { words: 'tea' }, effects: [] },
      { tool: 'charge', input: { amount: 3 }, effects: [3] },
      { tool: 'search', input: { words: 'sugar' } },
    ]);
  });

  it('does each step once, wherever its process dies', async () => {
    const before = payments.length;
    const { tools, faults, outcomes, crashes } = await killAtEveryCommit(till, options);
    expect(faults).toEqual([]);
    expect(outcomes).toEqual({ completed: crashes });
    expect(payments).toHaveLength(before + crashes + 1);
    expect(tools['charge']?.unknown.length).toBeGreaterThan(0);
    expect(tools['search']?.repeated).toBeGreaterThan(0);
  });

  it('names the step without an answer', async () => {
    await expect(testAgent(till, { ...options, model: {} })).rejects.toThrow(
      'the step "read" asks its model for answer 1, and `model` of the test has 0',
    );
  });
});
