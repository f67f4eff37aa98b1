import { describe, expect, it } from '@jest/globals';
import { sendableName } from './pair-tool-calls.js';

describe('the name of a call that is sent back', () => {
  it.each([
    ['weather', 'weather'],
    ['mcp__a-b__Get_1', 'mcp__a-b__Get_1'],
    ['get weather', 'get_weather'],
    [' weather\n', 'weather'],
    ['<tool>weather</tool>', '_tool_weather__tool_'],
    ['functions.weather', 'functions_weather'],
    ['天気', '__'],
    ['😀', '_'],
    ['x'.repeat(200), 'x'.repeat(64)],
    [`${'x'.repeat(63)}😀`, `${'x'.repeat(63)}_`],
    ['', '_'],
  ])('%j is %j', (name, sent) => {
    expect(sendableName(name)).toBe(sent);
    expect(sent).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});
