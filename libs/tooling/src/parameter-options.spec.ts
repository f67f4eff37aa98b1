import { describe, expect, it } from '@jest/globals';
import { checkParameterOptions } from './parameter-options.js';

const options = { unit: ['kg', 'piece'], level: ['1', '2'], urgent: ['true', 'false'] };

describe('checkParameterOptions', () => {
  it.each([
    ['one of the options', { unit: 'kg' }, { unit: 'kg' }],
    ['a number whose text is one, and sends the text', { level: 1 }, { level: '1' }],
    ['a boolean whose text is one, and sends the text', { urgent: false }, { urgent: 'false' }],
    ['a parameter that was not given', { name: 'tomato' }, { name: 'tomato' }],
    ['null, which is not given either', { unit: null }, { unit: null }],
    ['any value of a parameter without options', { name: ['x'] }, { name: ['x'] }],
    ['no input at all', {}, {}],
  ])('accepts %s (S0-36, 3.D-6)', (_name, input, data) => {
    expect(checkParameterOptions(input, options)).toEqual({ success: true, data });
  });

  it.each([
    ['another text', 'unit', 'z', '"z"'],
    ['another case', 'unit', 'KG', '"KG"'],
    ['a text with space', 'unit', ' kg', '" kg"'],
    ['the empty text', 'unit', '', '""'],
    ['another number', 'level', 3, '3'],
    ['a number that only looks alike', 'level', 1.5, '1.5'],
    ['a boolean', 'level', true, 'true'],
    ['a list that reads like an option', 'unit', ['kg'], '["kg"]'],
    ['an object', 'unit', { toString: 'kg' }, '{"toString":"kg"}'],
  ])('refuses %s and names the parameter (S0-36, S1-70, 3.D-6)', (_name, parameter, value, quoted) => {
    const allowed = JSON.stringify(options[parameter as keyof typeof options]);
    expect(checkParameterOptions({ [parameter]: value }, options)).toEqual({
      success: false,
      error: `tool arguments validation error: parameter '${parameter}' value ${quoted} not in options ${allowed}`,
    });
  });

  it('quotes a long value only in part', () => {
    const checked = checkParameterOptions({ unit: 'x'.repeat(100_000) }, options);
    expect(checked.success ? '' : checked.error.length).toBeLessThan(400);
  });

  it('does not change what it was given', () => {
    const input = { level: 1 };
    checkParameterOptions(input, options);
    expect(input).toEqual({ level: 1 });
  });

  it('looks at own properties only', () => {
    expect(checkParameterOptions({}, { constructor: ['a'] })).toEqual({ success: true, data: {} });
  });
});
