import { expect, it } from '@jest/globals';
import { readBy } from '../../../../test/support/builders/parsed-document.js';
import type { ParsedBlock } from '#libs/knowledge';
import { parseDocument } from '../child/parse-document.js';
import { charsOf, portionsOf } from '../portions.js';
import { parseCsv } from './parse-csv.js';

it.each([
  ['sep=;\r\nname;note\r\nBolt;"with ; semicolon"\r\n', ['name: Bolt; note: with ; semicolon']],
  ['"sep=|"\nname|price\nBolt|1,50\n', ['name: Bolt; price: 1,50']],
  ['SEP=\t\nname\tprice\nBolt\t1\n', ['name: Bolt; price: 1']],
  ['sep=;name\nx;y\n', ['sep=: x; name: y']],
])('the line of Excel that names the separator is none of the table: %j', async (text, expected) => {
  expect((await readBy(parseCsv, text)).texts).toEqual(expected);
});

it('as Excel saves it in Europe', async () => {
  const bytes = Buffer.from('Artikel;Gr\xf6\xdfe;Preis\r\nM\xfcsli;500 g;3,49 \x80\r\n', 'latin1');
  expect((await readBy(parseCsv, bytes)).texts).toEqual(['Artikel: Müsli; Größe: 500 g; Preis: 3,49 €']);
});

async function read(text: string) {
  const blocks: ParsedBlock[] = [];
  const document = { bytes: Buffer.from(text), charset: null };
  const warnings = await parseDocument('csv', document, 10_000_000, (block) => {
    blocks.push(block);
    return Promise.resolve();
  });
  return { rows: blocks.flatMap((block) => (block.kind === 'row' ? [block.cells] : [])), warnings };
}

it('a row of very many columns comes in parts, each value with its column', async () => {
  const columns = Array.from({ length: 20_000 }, (_, index) => `c${index}`);
  const { rows } = await read(`${columns.join(',')}\n${columns.map(() => 1).join(',')}\n`);
  expect(Math.max(...rows.map((cells) => cells.flat().join('').length))).toBeLessThanOrEqual(4_000);
  expect(rows.flat()).toEqual(columns.map((column) => [column, '1']));
});

it('a row of a hundred thousand columns is a step of bounded size for a worker, again and again', async () => {
  const columns = 100_000;
  const { rows } = await read(`${'name,'.repeat(columns)}\n${'value,'.repeat(columns)}\n`);
  const steps = portionsOf(rows.map((cells) => ({ kind: 'row', cells })));
  const sizes = steps.map((blocks) => blocks.reduce((sum, block) => sum + charsOf(block), 0));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(columns * 'namevalue'.length);
  expect(Math.max(...sizes)).toBeLessThan(8_000);
});

it('a column with a very long name is shown in short, and warned of', async () => {
  const { rows, warnings } = await read(`${'n'.repeat(900)},b\n1,2\n`);
  expect(rows).toEqual([
    [
      ['n'.repeat(200), '1'],
      ['b', '2'],
    ],
  ]);
  expect(warnings).toEqual([{ code: 'truncated', pages: [], page_count: 0 }]);
});
