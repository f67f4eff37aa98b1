import { describe, expect, it } from '@jest/globals';
import type { FunctionTool } from '../../responses/request-schema.js';
import { chooseCall } from './choose-call.js';

function tool(name: string, properties: NonNullable<FunctionTool['parameters']> = {}): FunctionTool {
  return { type: 'function', name, parameters: { type: 'object', properties } };
}

const weather = tool('get_weather', { city: { type: 'string' }, days: { type: 'integer' } });
const order = tool('place_order', { item: { type: 'string' }, express: { type: 'boolean' } });

describe('the call that a text asks for', () => {
  it.each([
    ['How is the weather in Paris for 3 days?', [weather, order], 'get_weather', { city: 'Paris', days: 3 }],
    ['Weather in New York', [weather, order], 'get_weather', { city: 'New York' }],
    ['Place an order of "green tea"', [weather, order], 'place_order', { item: 'green tea' }],
    [
      'Orders: {"item": "tea", "express": true}',
      [weather, order],
      'place_order',
      { item: 'tea', express: true },
    ],
    ['hello', [weather], 'get_weather', { city: 'hello' }],
  ])('%s', (text, tools, name, known) => {
    const call = chooseCall(text, tools);
    expect(call?.tool.name).toBe(name);
    expect(call?.known).toEqual(known);
  });

  it.each([
    ['hello', [weather, order]],
    ['weather', []],
  ])('none for %s', (text, tools) => {
    expect(chooseCall(text, tools)).toBeNull();
  });

  it('leaves a field with options to the schema', () => {
    const unit = tool('convert', { unit: { type: 'string', enum: ['C', 'F'] } });
    expect(chooseCall('convert to "F"', [unit])?.known).toEqual({});
  });
});
