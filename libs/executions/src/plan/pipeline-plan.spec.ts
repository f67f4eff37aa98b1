import { describe, expect, it } from '@jest/globals';
import { ToolCatalogue } from '#libs/tooling';
import { PARAMETER_RULES } from '../../../../test/support/builders/parameter-rules.js';
import { aClaim } from '../../../../test/support/builders/claim.js';
import { BY_CHARACTERS } from '../../../../test/support/builders/counted-model.js';
import { aStoredContext } from '../../../../test/support/builders/stored-context.js';
import { aTool } from '../../../../test/support/builders/tool.js';
import { planExecution } from './execution-plan.js';
import { assertUsable } from './usable-context.js';

const STEPS = [
  { name: 'ask', kind: 'llm', prompt: '{{/input}}', limits: { timeout_seconds: 3 } },
  { name: 'do', kind: 'tool', tool: 'look' },
  { name: 'call', kind: 'agent', agent: 9, prompt: 'x', output_schema: { type: 'object' } },
  { name: 'each', kind: 'map', over: '/steps/do/items', do: { kind: 'llm', prompt: '{{/item}}' } },
];

function plan(config: object) {
  const stored = aStoredContext({ usecaseType: 'CUSTOM', agentVersion: 4, config: { ...config } });
  const usable = { ...assertUsable(stored), workspace: null };
  const model = {
    costOf: () => null,
    prices: null,
    maxRetries: 1,
    ...BY_CHARACTERS,
    parameters: PARAMETER_RULES,
  };
  return planExecution(aClaim(), usable, model, new ToolCatalogue([aTool('look')]), {
    messageData: { shownToModel: (data) => data },
    sha256: (text) => `hash of ${text.length}`,
    toolSearch: { mostListed: 0, indexTools: () => ({ rank: () => [], nearest: () => [] }) },
  });
}

describe('the plan of a pipeline', () => {
  it('has its steps, and gives no model them (S3-7, S3-35)', () => {
    const { rules, context } = plan({ steps: STEPS, temperature: 0.3 });
    expect(rules.pipeline?.steps.map(({ name }) => name)).toEqual(['ask', 'do', 'call', 'each']);
    expect(context.parameters).toEqual({ temperature: 0.3 });
  });

  it('runs a step that asks a model as a loop of its own, and calls tools as they are', () => {
    const { rules } = plan({ steps: STEPS });
    const call = (toolName: string, written: object) => ({
      callId: 'c',
      toolName,
      arguments: JSON.stringify(written),
    });
    expect(rules.evaluate(call('ask', { prompt: 'well?' }))).toEqual({
      kind: 'run',
      effect: 'idempotent',
      input: { prompt: 'well?' },
      opens: {
        agentId: aClaim().agentId,
        name: 'ask',
        input: 'well?',
        step: { name: 'ask', agentVersion: 4 },
        limits: { timeoutMs: 3_000 },
      },
    });
    expect(rules.evaluate(call('call', { prompt: 'well?' }))).toMatchObject({
      opens: { agentId: 9, name: 'call', outputSchema: { type: 'object' } },
    });
    expect(rules.evaluate(call('each', { prompt: 'one' }))).toMatchObject({
      opens: { agentId: aClaim().agentId, step: { name: 'each', agentVersion: 4 } },
    });
    expect(rules.evaluate(call('look', {}))).toMatchObject({ kind: 'run', effect: 'read' });
    expect(rules.evaluate(call('rm', {}))).toMatchObject({ kind: 'refuse', reason: 'unknown_tool' });
  });

  it('is not made of what another release has written', () => {
    expect(() => plan({ steps: [{ name: 'a', kind: 'later' }] })).toThrow(
      'the options are not usable: steps.0.kind: must be llm, tool, agent, branch or map',
    );
  });
});
