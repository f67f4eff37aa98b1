import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { evaluateToolCall, type ToolDefinition, type ToolSource } from '#libs/tooling';
import { CombinedToolSource } from '../combined-tool-source.js';
import { BuiltinTools } from './builtin-tools.js';

const tool = (name: string, inputSchema: JsonObject = { type: 'object' }): ToolDefinition => ({
  name,
  label: name,
  description: `The tool ${name}.`,
  effect: 'read',
  inputSchema,
  timeoutMs: 1_000,
  run: () => Promise.resolve({ result: { status: 'success', result: {} } }),
});
const run = {
  tenantId: 'default',
  executionId: 'e',
  sessionId: 's',
  scope: '',
  executor: null,
  signal: new AbortController().signal,
};
const load = (source: ToolSource, agentTools: JsonObject) =>
  source.load({ ...run, agentTools, hasSkills: false, pinned: null, onEnd: () => undefined });

describe('BuiltinTools', () => {
  const builtin = new BuiltinTools(['a', 'b', 'c'].map((name) => tool(name)));

  it('gives each run what its agent names, in that order, and nothing else', async () => {
    expect((await load(builtin, { builtin: ['c', 'a'] })).names()).toEqual(['c', 'a']);
    expect((await load(builtin, { builtin: ['b'] })).names()).toEqual(['b']);
    expect((await load(builtin, { agents: [] })).names()).toEqual([]);
  });

  it('knows the tools that the agent does not name', async () => {
    const catalogue = await load(builtin, { builtin: ['a'] });
    expect(['b', 'd'].map((name) => catalogue.knows(name))).toEqual([true, false]);
  });

  it.each<[string, JsonObject, string]>([
    [
      'has vanished',
      { builtin: ['a', 'gone', 'lost'] },
      'there is no tool named gone; there is no tool named lost',
    ],
    ['cannot be read', { builtin: 'a' }, 'builtin: must be a list of tool names'],
  ])('refuses to run an agent without a tool that %s', async (_name, agentTools, message) => {
    await expect(load(builtin, agentTools)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      kind: 'invalid_input',
      message: `the tools of the agent are not usable: ${message}`,
    });
  });

  it('checks arguments by JSON Schema where a tool is written in nothing else', async () => {
    const inputSchema = { type: 'object', properties: { unit: { type: 'string' } }, required: ['unit'] };
    const catalogue = await load(new BuiltinTools([tool('weigh', inputSchema)]), { builtin: ['weigh'] });
    const evaluate = (text: string) => evaluateToolCall({ toolName: 'weigh', arguments: text }, catalogue);
    expect(evaluate('{"unit": "kg"}')).toMatchObject({ kind: 'run', input: { unit: 'kg' } });
    expect(evaluate('{"unit": 1}')).toMatchObject({
      kind: 'refuse',
      reason: 'invalid_arguments',
      output: expect.stringContaining('Invalid parameters for weigh: unit: must be string'),
    });
  });

  it('does not start with a schema that is none, and names the tool', () => {
    expect(() => new BuiltinTools([tool('weigh', { type: 'object', required: 'unit' })])).toThrow(
      'the input schema of the tool "weigh" is not usable',
    );
  });
});

describe('CombinedToolSource', () => {
  it('offers what each source offers, in the order of the sources', async () => {
    const combined = new CombinedToolSource([new BuiltinTools([tool('b')]), new BuiltinTools([tool('a')])]);
    await expect(load(combined, { builtin: ['b'] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const [one, two] = [new BuiltinTools([tool('b')]), new BuiltinTools([tool('a')])];
    const named = (source: BuiltinTools): ToolSource => ({
      load: () => source.load({ agentTools: { builtin: source.catalogue.names() } }),
    });
    const catalogue = await load(new CombinedToolSource([named(one), named(two)]), {});
    expect(catalogue.names()).toEqual(['b', 'a']);
  });
});
