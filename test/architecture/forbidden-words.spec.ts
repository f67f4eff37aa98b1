import { describe, expect, it } from '@jest/globals';
import { FORBIDDEN_WORDS } from './forbidden-words.js';
import { exists, filesUnder } from './repository-files.js';

describe.each(FORBIDDEN_WORDS)('the name of $what', ({ words, folders, except = [], anywhere = false }) => {
  const anyWord = `(${words.map((word) => word.replace(/[^\w ]/g, '\\$&')).join('|')})`;
  const forbidden = anywhere ? new RegExp(anyWord, 'i') : new RegExp(`(?<!\\w)${anyWord}(?!\\w)`);

  it('is looked for', () => {
    expect(words.length).toBeGreaterThan(3);
    expect(words.filter((word) => !forbidden.test(`x(${word})`))).toEqual([]);
  });

  it.each(folders.filter(exists))('stands nowhere in %s', (folder) => {
    const files = filesUnder(folder).filter(
      ({ path }) => !except.some((allowed) => path === allowed || path.startsWith(`${allowed}/`)),
    );
    expect(files.length).toBeGreaterThan(0);
    const found = files.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const word = forbidden.exec(line)?.[0];
        return word === undefined ? [] : [`${path}:${index + 1}: ${word}`];
      }),
    );
    expect(found).toEqual([]);
  });
});
