import { describe, expect, it } from '@jest/globals';
import { aTool } from '../../../../test/support/builders/tool.js';
import { evaluateToolCall } from '../evaluate-tool-call.js';
import { ToolCatalogue } from '../tool-catalogue.js';
import { asAsked, callTool, forwardCall } from './call-tool.js';

const TOOLS = new ToolCatalogue([aTool('mcp__git__close_issue', { effect: 'unsafe' }), aTool('look')]);
const INDEX = { rank: () => [], nearest: () => ['mcp__git__close_issue'] };
const ask = (value: unknown) => ({
  toolName: 'call_tool',
  arguments: typeof value === 'string' ? value : JSON.stringify(value),
});

describe('a call by way of call_tool', () => {
  it.each([
    [{ name: 'look' }, { toolName: 'look', arguments: '{}', via: 'call_tool' }],
    [
      { name: 'look', arguments: { a: 1 } },
      { toolName: 'look', arguments: '{"a":1}', via: 'call_tool' },
    ],
  ])('%j is a call of the tool that it names', (given, meant) => {
    const forwarded = forwardCall(ask(given), TOOLS);
    expect(forwarded).toEqual(meant);
    expect(asAsked(forwarded)).toEqual(
      ask({ name: meant.toolName, arguments: JSON.parse(meant.arguments) as unknown }),
    );
  });

  it('keeps arguments that their tool does not take, which are judged as those of the tool', () => {
    const forwarded = forwardCall(ask({ name: 'look', arguments: { x: { '': [null] } } }), TOOLS);
    expect(forwarded.arguments).toBe('{"x":{"":[null]}}');
  });

  it('arguments of any other tool are not touched', () => {
    const call = { toolName: 'look', arguments: 'nonsense' };
    expect(forwardCall(call, TOOLS)).toBe(call);
    expect(asAsked(call)).toEqual(call);
  });

  const evaluate = (value: unknown) => {
    const catalogue = ToolCatalogue.merge([TOOLS, new ToolCatalogue([callTool(TOOLS, () => INDEX)])]);
    const call = forwardCall(ask(value), TOOLS);
    expect(call.toolName).toBe('call_tool');
    return evaluateToolCall(call, catalogue);
  };

  it.each([
    [
      { name: 'close_issue' },
      'name: there is not a tool named close_issue; names like it: mcp__git__close_issue; find tools with search_tools',
    ],
    [{ name: 'call_tool', arguments: { name: 'look' } }, 'name: there is not a tool named call_tool'],
    [{}, 'name: must be the name of a tool'],
    [{ name: 'look', arguments: '{}' }, 'arguments: must be an object: the arguments of the tool'],
    [{ name: 'look', arguments: null }, 'arguments: must be an object: the arguments of the tool'],
    [{ name: 'look', args: {} }, 'Unrecognized key: "args"'],
    ['{"name": ', 'tool arguments must be valid JSON object'],
  ])('%j calls nothing, and says why', (given, reason) => {
    expect(evaluate(given)).toMatchObject({
      kind: 'refuse',
      reason: 'invalid_arguments',
      output: expect.stringContaining(JSON.stringify(reason).slice(1, -1)),
    });
  });

  it('quotes of a name that a model made up only a part', () => {
    const verdict = evaluate({ name: 'x'.repeat(50_000) });
    expect(verdict.kind === 'refuse' && verdict.output.length).toBeLessThan(600);
  });
});
