import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { nameClassesOnly } from './name-classes-only.ts';

const SOURCE = String.raw`
  import { Order as Other } from 'other';
  class Order { static made = () => 'made'; }
  const table = {
    add: async (a, b) => all(a, (b)),
    'quoted one': () => /\)/.test(')'),
    text: () => ${'`${(() => "text")()} __name(`'},
  };
  function all(...given) { return given; }
  function outer() {
    function inner() { return arrow; }
    const arrow = () => inner;
    return [inner.name, arrow.name, inner()() === inner, (function named() { return this; }).call(3)];
  }
  export const said = {
    classes: [Order.name, Other.name, Order.made()],
    functions: [all.name, outer.name, table.add.name, table['quoted one']()],
    text: table.text(),
    made: outer(),
  };
`;
const OTHER = `class Order {} function all() {} all(); export { Order };`;

let text: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE },
    plugins: [
      {
        name: 'other',
        setup: (bundling) => {
          bundling.onResolve({ filter: /^other$/ }, ({ path }) => ({ path, namespace: 'other' }));
          bundling.onLoad({ filter: /.*/, namespace: 'other' }, () => ({ contents: OTHER }));
        },
      },
    ],
    bundle: true,
    format: 'iife',
    globalName: 'bundle',
    keepNames: true,
    write: false,
  });
  text = outputFiles[0]?.text ?? '';
});

describe('a bundle that names classes only', () => {
  it('says what it said, classes by their names even where there are two of one name', () => {
    const said = runInNewContext(`${nameClassesOnly(text)}; bundle.said`) as unknown;
    expect(JSON.parse(JSON.stringify(said))).toEqual({
      classes: ['Order', 'Order', 'made'],
      functions: ['all2', 'outer', 'add', true],
      text: 'text __name(',
      made: ['inner', 'arrow', true, 3],
    });
  });

  it('makes no function that is given a name whenever it is made', () => {
    expect(text.match(/__name\((?!this)/g)?.length).toBeGreaterThan(8);
    // `__name` inside a string is kept.
    expect(nameClassesOnly(text).match(/__name\((?!this)/g)).toEqual(['__name(']);
    expect(nameClassesOnly(text).match(/__name\(this, "Order"\)/g)).toHaveLength(2);
  });
});
