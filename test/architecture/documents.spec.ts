import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { headingAnchor } from '../../docs/.vitepress/heading-anchor.js';
import { fencedBlocks } from '../support/documents/shell-blocks.js';
import { exists, filesUnder, foldersIn, ROOT } from './repository-files.js';

const documents = filesUnder('.').filter(({ path }) => path.endsWith('.md'));
/** Documents about a domain that the reader adds, so their paths need not exist. */
const NAMES_WHAT_IS_NOT_THERE = /^docs\/contributing\/playbooks\//;
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g;
const ANCHORED = /\]\((?!https?:|mailto:)([^)#\s]*)#([^)]+)\)/g;
const PATH = /`((?:apps|libs|test|scripts|docs|examples|bench)\/[\w./-]+)`/g;

function textOf(path: string): string {
  const document = documents.find((file) => file.path === path);
  if (document === undefined) throw new Error(`there is no ${path}`);
  return document.text;
}

/** First cells of the table under a heading. */
function firstCells(document: string, heading: string): string[] {
  const section = (textOf(document).split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, cell = '']) => cell);
}

function brokenLinks({ path, text }: { path: string; text: string }): string[] {
  return [...text.matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !exists(normalize(join(path, '..', target))));
}

/** Anchors that a document may be linked by: its headings, and those that it names itself. */
function anchorsOf(text: string): ReadonlySet<string> {
  const fenced = fencedBlocks(text).reduce((rest, block) => rest.replace(block.text, ''), text);
  const anchors = new Set([...fenced.matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id));
  for (const [, heading = ''] of fenced.matchAll(/^#{1,6} (.+)$/gm)) {
    anchors.add(headingAnchor(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')));
  }
  return anchors;
}

function brokenAnchors({ path, text }: { path: string; text: string }): string[] {
  return [...text.matchAll(ANCHORED)].flatMap(([, target = '', anchor = '']) => {
    const page =
      target === '' ? { text } : documents.find((file) => file.path === normalize(join(path, '..', target)));
    return page === undefined || anchorsOf(page.text).has(anchor) ? [] : [`${target}#${anchor}`];
  });
}

function missingPaths({ text }: { text: string }): string[] {
  return [...text.matchAll(PATH)].map(([, path = '']) => path).filter((path) => !exists(path));
}

const scripts = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
    .scripts,
);
const routes = ['openapi.json', 'examples/openapi.json']
  .flatMap((file) =>
    Object.keys(
      (JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { paths: Record<string, unknown> }).paths,
    ),
  )
  .map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));

/** Commands without a script, and API paths without a route. Variables like `$ID` stand for ids. */
function unusableCommands({ text }: { text: string }): string[] {
  const missing = [...text.matchAll(/npm run ((?:\w+:)*\w+)(?!:)\b/g)].filter(
    ([, script = '']) => !scripts.includes(script),
  );
  const nowhere = [...text.matchAll(/(?:localhost:3000|\$API)(\/api\/[\w\-/$]*)/g)].filter(
    ([, path = '']) => !routes.some((route) => route.test(path)),
  );
  return [...missing, ...nowhere].map(([command]) => command);
}

describe('the documents', () => {
  it.each(documents.map((file) => [file.path, file] as const))('lead somewhere from %s', (path, file) => {
    expect([...brokenLinks(file), ...brokenAnchors(file)]).toEqual([]);
    if (NAMES_WHAT_IS_NOT_THERE.test(path)) return;
    expect(missingPaths(file)).toEqual([]);
    expect(unusableCommands(file)).toEqual([]);
  });

  it('would be found to lead nowhere', () => {
    const file = { path: 'docs/a.md', text: 'See [b](gone.md#x), `libs/gone/src` and [c](glossary.md).' };
    expect([brokenLinks(file), missingPaths(file)]).toEqual([['gone.md'], ['libs/gone/src']]);
    const anchors = '# A b, c\n[1](#a-b-c) [2](#a-b) [3](glossary.md#tables) [4](glossary.md#gone)';
    expect(brokenAnchors({ path: 'docs/a.md', text: anchors })).toEqual(['#a-b', 'glossary.md#gone']);
    const commands =
      'npm run gone; npm run check; curl localhost:3000/api/agents/1/gone/ $API/api/agents/$ID/';
    expect(unusableCommands({ text: commands })).toEqual([
      'npm run gone',
      'localhost:3000/api/agents/1/gone/',
    ]);
  });

  it.each(['apps', 'libs', 'scripts', 'test'])('list every folder of %s, and none that is gone', (room) => {
    const listed = firstCells('docs/explanation/architecture.md', 'Folders').filter((cell) =>
      cell.startsWith(`${room}/`),
    );
    expect(listed.toSorted()).toEqual(
      foldersIn(room)
        .map((name) => `${room}/${name}`)
        .toSorted(),
    );
  });

  it('draw every library', () => {
    const drawing =
      /## The house\n+```mermaid\n([^]*?)```/.exec(textOf('docs/explanation/architecture.md'))?.[1] ?? '';
    const drawn = new Set(drawing.match(/[a-z][a-z-]+/g));
    expect(foldersIn('libs').filter((name) => !drawn.has(name))).toEqual([]);
  });

  it('explain every table, and none that is gone', () => {
    const tables = filesUnder('libs/persistence/src/entities').flatMap(({ text }) =>
      [...text.matchAll(/@Entity\('(\w+)'/g)].map(([, table = '']) => table),
    );
    expect(tables.length).toBeGreaterThan(20);
    expect(firstCells('docs/glossary.md', 'Tables').toSorted()).toEqual(tables.toSorted());
  });

  it('index every record of a decision', () => {
    const records = filesUnder('docs/explanation/decisions').map(({ path }) =>
      path.replace('docs/explanation/decisions/', ''),
    );
    const index = textOf('docs/explanation/decisions/README.md');
    expect(records.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
    expect(records.length).toBeGreaterThan(10);
  });
});
