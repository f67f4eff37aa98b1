export interface SourceFile {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
}

export interface Figure {
  readonly name: string;
  readonly count: number;
}

/** Size of the source tree, and counts of patterns that should be rare. Pure. */
export function countFigures(files: readonly SourceFile[]): Figure[] {
  const source = files.filter(
    ({ path }) => /^(?:apps|libs)\/.*(?<!\.spec)\.ts$/.test(path) && !isSimulator(path),
  );
  const tests = files.filter(({ path }) => /^test\/.*\.ts$|\.spec\.ts$/.test(path));
  const count = (pattern: RegExp, within = source): number =>
    within.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);
  // The commands of apps/migrate have no container, and the stores of the console hold state of a page.
  const injected = source.filter(({ path }) => !/^apps\/(?:migrate|console)\//.test(path));
  const stores = source.filter(({ path }) => path.startsWith('libs/persistence/src/'));
  const glossary = files.find(({ path }) => path === 'docs/glossary.md')?.text ?? '';
  return [
    { name: 'source files, without the simulator', count: source.length },
    { name: 'source lines', count: linesOf(source) },
    { name: 'test files', count: tests.length },
    { name: 'test lines', count: linesOf(tests) },
    { name: 'lines of SQL files', count: linesOf(files.filter(({ path }) => path.endsWith('.sql'))) },
    { name: 'lines of documents', count: linesOf(files.filter(({ path }) => path.startsWith('docs/'))) },
    { name: 'hand-made mutants', count: mutantsOf(tests) },
    { name: 'Nest modules', count: count(/^@Module\(/gm) },
    { name: 'Nest factories (useFactory)', count: count(/\buseFactory\b[:(]/g) },
    { name: 'SecretBox made by hand', count: count(/new SecretBox\(/g) },
    { name: 'stores made by hand, where Nest could', count: count(/new \w+Store\(/g, injected) },
    {
      name: 'stores that say SQL (queryRows)',
      count: stores.filter(({ text }) => text.includes('queryRows')).length,
    },
    {
      name: 'stores that use repositories',
      count: stores.filter(({ text }) => text.includes('getRepository(')).length,
    },
    { name: 'terms of the glossary', count: [...glossary.matchAll(/^\| \*\*|^\*\*|^- \*\*/gm)].length },
  ];
}

function isSimulator(path: string): boolean {
  return path.startsWith('apps/simulator/');
}

function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
}

function mutantsOf(files: readonly SourceFile[]): number {
  return files
    .filter(({ path }) => path.startsWith('test/mutations/'))
    .reduce((sum, { text }) => sum + [...text.matchAll(/^\s+find:/gm)].length, 0);
}
