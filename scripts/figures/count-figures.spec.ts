import { expect, it } from '@jest/globals';
import { countFigures } from './count-figures.ts';

it('counts source, tests, factories and stores apart', () => {
  const figures = countFigures([
    { path: 'libs/a/src/a.ts', text: 'const a = { useFactory: () => 1 };\n' },
    { path: 'libs/a/src/a.spec.ts', text: 'one\ntwo\n' },
    { path: 'apps/simulator/src/main.ts', text: 'useFactory: ignored\n' },
    { path: 'libs/persistence/src/resources/b.store.ts', text: 'await queryRows(source, sql);\n' },
    { path: 'apps/worker/src/c.ts', text: 'new BStore(source);\n' },
    { path: 'apps/migrate/src/d.ts', text: 'new BStore(source);\n' },
    { path: 'test/mutations/core.ts', text: "  {\n    find: 'a',\n  },\n" },
  ]);
  const of = (name: string) => figures.find((figure) => figure.name.startsWith(name))?.count;
  expect(of('source files')).toBe(4);
  expect(of('test lines')).toBe(5);
  expect(of('Nest factories')).toBe(1);
  expect(of('stores that say SQL')).toBe(1);
  expect(of('stores made by hand')).toBe(1);
  expect(of('hand-made mutants')).toBe(1);
});
