import { describe, expect, it } from '@jest/globals';
import { readBy } from '../../../../test/support/builders/parsed-document.js';
import { parseHtml } from './parse-html.js';

const textsOf = async (page: Buffer | string): Promise<readonly string[]> =>
  (await readBy(parseHtml, page)).texts;

describe('invisible parts of a page are not read', () => {
  it.each([
    ['the attribute hidden', '<p hidden>no</p>'],
    ['display', '<p style="color:red; DISPLAY : none">no</p>'],
    ['display, with everything inside', '<div style="display:none"><p style="display:block">no</p></div>'],
    ['display that is important', '<p style="display:none !important; display:block">no</p>'],
    ['visibility', '<div style="visibility: hidden"><p>no</p></div>'],
    ['opacity', '<p style="opacity:0.0">no</p>'],
    ['the size of letters', '<p style="font-size: 0px">no</p>'],
    ['a dialog that is closed', '<dialog>no</dialog>'],
    ['a template', '<template><p>no</p></template>'],
    ['a style for a class', '<style>.note, .x { display: none }</style><p class="big note">no</p>'],
    [
      'a style for an id',
      '<style>@media print { p { color: red } } #n { visibility: hidden }</style><p id="n">no</p>',
    ],
    [
      'a style for a class of an element',
      '<style>.a { display: block } p.a { display: none }</style><p class="a">no</p>',
    ],
  ])('by %s', async (_by, hidden) => {
    expect(await textsOf(`<p>before</p>${hidden}<p>after</p>`)).toEqual(['before', 'after']);
  });

  it.each([
    [
      'visible inside of what is not',
      '<div style="visibility:hidden">no<p style="visibility:visible">yes</p></div>',
    ],
    ['shown by its own style', '<p hidden style="display:block">yes</p>'],
    ['hidden in print alone', '<style>@media print { p { display: none } }</style><p>yes</p>'],
    [
      'hidden by a style that a later one ends',
      '<style>.a{display:none}.a{display:block}</style><p class="a">yes</p>',
    ],
    ['half transparent', '<p style="opacity:0.5;font-size:0.8em">yes</p>'],
    ['an open dialog', '<dialog open>yes</dialog>'],
    ['a page that waits for its scripts', '<body style="display:none">yes</body>'],
    ['the words in the place of a picture', '<img alt="yes">'],
    ['a formula', '<math><mi>yes</mi><annotation>no</annotation></math>'],
  ])('and the rest is: %s', async (_what, page) => {
    expect(await textsOf(page)).toEqual(['yes']);
  });
});

it('a page is read in the encoding that it declares', async () => {
  const page = Buffer.from('<meta charset="windows-1252"><p>K\xf6nigsweg \x96 sch\xf6n</p>', 'latin1');
  expect(await textsOf(page)).toEqual(['Königsweg – schön']);
});

describe('values of a table have the names of their columns', () => {
  const PRICES = '<tr><td>Bolt</td><td>1.00</td><td>1.19</td></tr>';
  it.each<[string, string, readonly string[]]>([
    [
      'several header rows name a column together',
      `<table><thead><tr><th rowspan="2">Item</th><th colspan="2">Price</th></tr><tr><th>Net</th><th>Gross</th></tr></thead>${PRICES}</table>`,
      ['Item: Bolt; Price / Net: 1.00; Price / Gross: 1.19'],
    ],
    [
      'a second header row counts without `th`',
      `<table><tr><th rowspan="2">Item</th><th colspan="2">Price</th></tr><tr><td>Net</td><td>Gross</td></tr>${PRICES}</table>`,
      ['Item: Bolt; Price / Net: 1.00; Price / Gross: 1.19'],
    ],
    [
      'where a cell spans rows',
      '<table><tr><th>Town</th><th>Name</th></tr><tr><td rowspan="2">London</td><td>Ada</td></tr><tr><td>Bob</td></tr></table>',
      ['Town: London; Name: Ada', 'Town: London; Name: Bob'],
    ],
    [
      'or none, where a cell spans columns with other names',
      '<table><tr><th>Net</th><th>Gross</th><th>Note</th></tr><tr><td colspan="2">free</td><td>x</td></tr></table>',
      ['free; Note: x'],
    ],
    [
      'columns share the header above them',
      `<table><tr><th colspan="2">Price</th></tr><tr><th>Net</th><th>Gross</th></tr><tr><td colspan="2">free</td></tr></table>`,
      ['Price: free'],
    ],
    [
      'a value takes the nearest header above it',
      '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr><tr><th>C</th><th>D</th></tr><tr><td>3</td><td>4</td></tr></table>',
      ['A: 1; B: 2', 'C: 3; D: 4'],
    ],
    [
      'also behind a title in the table',
      '<table><tr><th>A</th><th>B</th></tr><tr><th colspan="2">Part two</th></tr><tr><td>1</td><td>2</td></tr><tr><th colspan="2">Part three</th></tr><tr><td>3</td><td>4</td></tr></table>',
      ['A / Part two: 1; B / Part two: 2', 'Part three', 'A / Part two: 3; B / Part two: 4'],
    ],
    ['which are read where there are no values', '<table><tr><th>A</th><th>B</th></tr></table>', ['A; B']],
  ])('%s', async (_what, table, expected) => {
    expect(await textsOf(table)).toEqual(expected);
  });

  it('within bounds, however many columns and rows its cells span', async () => {
    const wide = `<tr>${'<td rowspan=65534 colspan=99999>x</td>'.repeat(3_000)}</tr>`;
    const { blocks } = await readBy(
      parseHtml,
      `<table>${wide}${'<tr><td>y</td></tr>'.repeat(1_000)}</table>`,
    );
    expect(blocks.length).toBeLessThan(1_100);
  });
});
