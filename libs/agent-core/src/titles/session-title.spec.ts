import { describe, expect, it } from '@jest/globals';
import { readTitle, titleFromInput, titlePrompt } from './session-title.js';

describe('the prompt for a title (S4-42)', () => {
  it('shows the beginning of the input and of the reply (3.I-28)', () => {
    const [system, user] = titlePrompt(`${'i'.repeat(200)}cut`, `${'r'.repeat(300)}cut`);
    expect(system?.role).toBe('system');
    expect(user).toEqual({
      role: 'user',
      content: `<user>\n${'i'.repeat(200)}\n</user>\n<assistant>\n${'r'.repeat(300)}\n</assistant>`,
    });
  });

  it('splits no character', () => {
    const [, user] = titlePrompt('😀'.repeat(250), '');
    expect(user?.content).toContain(`\n${'😀'.repeat(200)}\n`);
  });
});

describe('the title in an answer (S4-43)', () => {
  it.each([
    ['Tomatoes for Friday', 'Tomatoes for Friday'],
    ['  \n\n Tomatoes  for\tFriday \nIt is about tomatoes.', 'Tomatoes for Friday'],
    ['<think>hm\nhm</think>\nTomatoes', 'Tomatoes'],
    ['"Tomatoes"', 'Tomatoes'],
    // The model repeats the tags of its prompt.
    ['<user>\nTomatoes\n</user>\n<assistant>\nYes.\n</assistant>', 'Tomatoes'],
    ['<user>\n</user>', null],
    ['「トマトの注文」', 'トマトの注文'],
    ['x'.repeat(60), 'x'.repeat(50)],
    ['😀'.repeat(60), '😀'.repeat(50)],
    ['nul\u0000 byte', 'nul byte'],
    ['', null],
    [' \n ', null],
    ['<think>only thoughts', null],
  ])('reads %j as %j', (answer, title) => {
    expect(readTitle(answer)).toBe(title);
  });
});

describe('the title in an input (S4-43)', () => {
  it.each([
    ['5 cases of tomatoes', '5 cases of tomatoes'],
    [` ${'a'.repeat(49)}  ${'b'.repeat(9)}`, 'a'.repeat(49)],
    ['first line\nsecond line', 'first line second line'],
    ['', 'New chat'],
    ['   ', 'New chat'],
  ])('names %j by its first 50 characters: %j', (input, title) => {
    expect(titleFromInput(input)).toBe(title);
  });
});
