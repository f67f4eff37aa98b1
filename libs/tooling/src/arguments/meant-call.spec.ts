import { describe, expect, it } from '@jest/globals';
import { aTool } from '../../../../test/support/builders/tool.js';
import { ToolCatalogue } from '../tool-catalogue.js';
import { meantCall } from './meant-call.js';

const TOOLS = new ToolCatalogue([
  aTool('charge', { effect: 'unsafe' }),
  aTool('upsert', { effect: 'idempotent' }),
  aTool('look', { effect: 'read' }),
]);
const meant = (toolName: string, written: string, isSearched = false) =>
  meantCall({ toolName, arguments: written }, TOOLS, { isSearched });

const CERTAIN = '```json\n{"a":1,}\n```';
const GUESSED = "{'a': 1}";
const BROKEN = '{"a":1}{"a":2}';

describe('the call that a model means', () => {
  it.each(['charge', 'upsert', 'look', 'nothing'])('is repaired where that is certain, of %s', (name) => {
    expect(meant(name, CERTAIN)).toEqual({ toolName: name, arguments: '{"a":1}', written: CERTAIN });
  });

  it.each([
    ['charge', false],
    ['nothing', false],
    ['upsert', true],
    ['look', true],
  ])('is guessed of a tool that is not unsafe: %s', (name, isGuessed) => {
    const call = { toolName: name, arguments: GUESSED };
    expect(meant(name, GUESSED)).toEqual(
      isGuessed ? { ...call, arguments: '{"a":1}', written: GUESSED } : call,
    );
  });

  it.each(['{"a":1}', '', BROKEN])('is what it is where the arguments are %j', (written) => {
    expect(meant('look', written)).toEqual({ toolName: 'look', arguments: written });
  });

  it.each([
    ['broken itself', '{"name":"charge","arguments":{"a":1},}'],
    ['encoded twice', '{"name":"charge","arguments":"{\\"a\\":1}"}'],
    ['broken inside', JSON.stringify({ name: 'charge', arguments: CERTAIN })],
  ])('is that of the tool that call_tool names, where its arguments are %s', (_name, written) => {
    expect(meant('call_tool', written, true)).toEqual({
      toolName: 'charge',
      arguments: '{"a":1}',
      via: 'call_tool',
      written,
    });
  });

  it('is not guessed by way of call_tool', () => {
    const written = JSON.stringify({ name: 'look', arguments: GUESSED });
    expect(meant('call_tool', written, true)).toEqual({ toolName: 'call_tool', arguments: written });
    expect(meant('call_tool', "{'name': 'look'}", true)).toMatchObject({ toolName: 'call_tool' });
  });

  it('names no other tool where call_tool was not given', () => {
    const written = '{"name":"look","arguments":{}}';
    expect(meant('call_tool', written)).toEqual({ toolName: 'call_tool', arguments: written });
  });
});
