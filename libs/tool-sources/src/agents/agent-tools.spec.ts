import { describe, expect, it } from '@jest/globals';
import { evaluateToolCall, type ToolCatalogue } from '#libs/tooling';
import { AgentTools } from './agent-tools.js';

const TOOLS = {
  agents: [
    { agent: 7, name: 'clerk', description: 'Refunds.', effect: 'unsafe' },
    {
      name: 'task',
      description: 'Runs another agent.',
      agents: [
        { agent: 8, name: 'scout', description: 'Looks.' },
        { agent: 9, name: 'scribe', description: 'Writes.' },
      ],
    },
  ],
};

const load = (agentTools: object = TOOLS): Promise<ToolCatalogue> =>
  new AgentTools().load({ agentTools: agentTools as never });
const evaluate = async (toolName: string, args: object) =>
  evaluateToolCall({ toolName, arguments: JSON.stringify(args) }, await load());

describe('the tools by which an agent calls others', () => {
  it('open the agent that is meant, with what it is asked (S4-29)', async () => {
    expect(await evaluate('clerk', { prompt: 'refund order 7' })).toMatchObject({
      kind: 'run',
      opens: { agentId: 7, name: 'clerk', input: 'refund order 7' },
    });
  });

  it.each([
    ['scout', 8],
    ['scribe', 9],
  ])('open of several the one that the model chose: %s (S4-29)', async (subagent_type, agentId) => {
    expect(await evaluate('task', { subagent_type, prompt: 'do it' })).toMatchObject({
      kind: 'run',
      opens: { agentId, name: subagent_type, input: 'do it' },
    });
  });

  it('take no other choice, and need something to ask (S4-29)', async () => {
    expect(await evaluate('task', { subagent_type: 'clerk', prompt: 'x' })).toMatchObject({ kind: 'refuse' });
    expect(await evaluate('task', { subagent_type: 'scout' })).toMatchObject({ kind: 'refuse' });
    expect(await evaluate('clerk', {})).toMatchObject({ kind: 'refuse' });
  });

  it('say which agents there are (S4-29)', async () => {
    const described = (await load()).describe().find(({ name }) => name === 'task');
    expect(described?.description).toBe('Runs another agent.\n\nAgents:\n- scout: Looks.\n- scribe: Writes.');
    expect(described?.parameters).toMatchObject({
      properties: { subagent_type: { enum: ['scout', 'scribe'] } },
      required: ['subagent_type', 'prompt'],
    });
  });

  it('run side by side unless they are declared unsafe (S4-31)', async () => {
    expect(await evaluate('clerk', { prompt: 'x' })).toMatchObject({ effect: 'unsafe' });
    expect(await evaluate('task', { subagent_type: 'scout', prompt: 'x' })).toMatchObject({
      effect: 'idempotent',
    });
  });

  it('do not exist for an agent that calls no other', async () => {
    expect((await load({})).names()).toEqual([]);
  });

  it('are not offered at all where they are not usable', async () => {
    await expect(load({ agents: [{ agent: 0, name: 'clerk', description: 'x' }] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
