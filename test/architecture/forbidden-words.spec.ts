import { describe, expect, it } from '@jest/globals';
import { FORBIDDEN_WORDS } from './forbidden-words.js';
import { exists, filesUnder } from './repository-files.js';

describe.each(FORBIDDEN_WORDS)('$what', ({ words, folders, anywhere, anyCase, except = [], skips }) => {
  const anyWord = `(${words.map((word) => word.replace(/[^\w ]/g, '\\$&')).join('|')})`;
  const forbidden = anywhere
    ? new RegExp(anyWord, 'i')
    : new RegExp(`(?<!\\w)${anyWord}(?!\\w)`, anyCase ? 'i' : '');
  const withoutExceptions = (line: string) => except.reduce((rest, text) => rest.replaceAll(text, ''), line);

  it('is looked for', () => {
    expect(words.length).toBeGreaterThan(3);
    expect(words.filter((word) => !forbidden.test(`x(${word})`))).toEqual([]);
  });

  it.each(folders.filter(exists))('stands nowhere in %s', (folder) => {
    const files = filesUnder(folder).filter(({ path }) => !skips?.test(path));
    expect(files.length).toBeGreaterThan(0);
    const found = files.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const word = forbidden.exec(withoutExceptions(line))?.[0];
        return word === undefined ? [] : [`${path}:${index + 1}: ${word}`];
      }),
    );
    expect(found).toEqual([]);
  });
});
