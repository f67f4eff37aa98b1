import { describe, expect, it } from '@jest/globals';
import { filesUnder } from './repository-files.js';
import { definedNumbers, unknownNumbers } from './requirement-numbers.js';

const defined = definedNumbers();
const known = new Set(defined);
/** Joins the parts of an invented number, so that this file's source cites no unknown number. */
const forged = (...parts: readonly string[]) => parts.join('-');

describe('the numbers of requirements', () => {
  it('have one text each', () => {
    expect(defined.filter((number, index) => defined.indexOf(number) !== index)).toEqual([]);
    const count = (prefix: string) => defined.filter((number) => number.startsWith(prefix)).length;
    expect(['S0', 'S1', 'S2', 'S3', 'S4'].map(count)).toEqual([44, 78, 39, 40, 43]);
    expect(count('3.')).toBeGreaterThan(100);
    expect(['L', 'W', 'N', 'K'].map(count)).toEqual([23, 7, 1, 1]);
  });

  it.each(['apps', 'libs', 'test', 'scripts', 'bench', 'examples', 'docs', '.'])(
    'have a text wherever %s cites one',
    (folder) => {
      const files = filesUnder(folder).filter(({ path }) => folder !== '.' || !path.includes('/'));
      expect(files.length).toBeGreaterThan(0);
      expect(files.flatMap((file) => unknownNumbers(file, known))).toEqual([]);
    },
  );

  it.each([
    ['libs/policy/src/a.ts', `// Cut as ever (${forged('S4', '99')}).`, forged('S4', '99')],
    ['test/integration/a.spec.ts', `it('does it (S1-7, ${forged('3.C', '77')})')`, forged('3.C', '77')],
    ['docs/guides/agents.md', `As in ${forged('S9', '1')}.`, forged('S9', '1')],
    ['test/contract/model/a.spec.ts', `['${['L', '99'].join('')}', 429]`, 'L' + '99'],
  ])('are missed in %s where no text has them', (path, text, number) => {
    expect(unknownNumbers({ path, text: `\n${text}` }, known)).toEqual([`${path}:2: ${number}`]);
  });
});
