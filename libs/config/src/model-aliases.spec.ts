import { describe, expect, it } from '@jest/globals';
import { modelAliases } from './model-aliases.js';

describe('modelAliases', () => {
  it.each([
    ['a:small=x', { a: { small: 'x' } }],
    [
      ' a:small=x , b:v1.0=us.y-v1:0,a:large=z ',
      { a: { small: 'x', large: 'z' }, b: { 'v1.0': 'us.y-v1:0' } },
    ],
    ['a:small=x,a:small=y', { a: { small: 'y' } }],
  ])('S4-30: reads %j', (text, expected) => expect(modelAliases.parse(text)).toEqual(expected));

  it.each(['', 'small=x', 'a:=x', 'a:small=', 'a:small', 'a:small=x y', 'A:small=x', 'a:small=x,'])(
    'refuses %j, and shows the form',
    (text) => expect(modelAliases.safeParse(text).error?.issues[0]?.message).toContain('provider:name=id'),
  );
});
