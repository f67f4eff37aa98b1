import fc from 'fast-check';
import { aPdf } from '../builders/pdf.ts';
import { aDocx, aParagraph, aZip } from '../builders/zip.ts';

/** A file that a tenant uploads. */
export interface HostileDocument {
  readonly name: string;
  readonly bytes: Buffer;
}

const size = fc.integer({ min: 10_000, max: 1_000_000 });
const nestings = fc.integer({ min: 1_000, max: 100_000 });
const times = (count: number, part: string): string => part.repeat(count);
const file = (name: string, content: string | Buffer): HostileDocument => ({
  name,
  bytes: Buffer.from(content),
});

/** Documents that are unexpectedly large, deeply nested, packed many times, or of another type than their name says. */
export const hostileDocument: fc.Arbitrary<HostileDocument> = fc.oneof(
  size.map((columns) => file('wide.csv', times(columns, 'a,'))),
  size.map((rows) => file('long.csv', times(rows, 'a\n'))),
  size.map((quotes) => file('quotes.csv', times(quotes, '"'))),
  size.map((count) => file('letters.txt', times(count, 'x'))),
  size.map((count) => file('blank.txt', times(count, ' \n'))),
  nestings.map((depth) => file('deep.html', times(depth, '<div>'))),
  nestings.map((depth) => file('tables.html', times(depth, '<table><tr><td>a'))),
  nestings.map((count) =>
    file('cells.html', `<table><tr>${times(count, '<td colspan=1000 rowspan=1000>a')}`),
  ),
  nestings.map((count) => file('styles.html', `<style>${times(count, '.a,')}</style><p>a`)),
  nestings.map((depth) => file('deep.md', `${times(depth, '> ')}a`)),
  nestings.map((depth) => file('lists.md', times(Math.min(depth, 3_000), '- '))),
  nestings.map((count) => file('links.md', times(count, '[a]('))),
  nestings.map((count) => file('stars.md', times(count, '*a **b '))),
  nestings.map((count) => ({
    name: 'rows.docx',
    bytes: aDocx(`<w:tbl>${times(count, '<w:tr><w:tc/></w:tr>')}</w:tbl>`),
  })),
  nestings.map((depth) => ({ name: 'deep.docx', bytes: aDocx(times(depth, '<w:tbl><w:tr><w:tc>')) })),
  size.map((count) => ({ name: 'packed.docx', bytes: aDocx(times(count, aParagraph('a'))) })),
  size.map((claimedSize) => ({
    name: 'lying.docx',
    bytes: aZip({ 'word/document.xml': times(2_000_000, ' ') }, { claimedSize }),
  })),
  fc
    .integer({ min: 100, max: 3_000 })
    .map((pages) => ({ name: 'pages.pdf', bytes: aPdf(Array.from({ length: pages }, () => 'a')) })),
  nestings.map((count) => ({ name: 'nested.pdf', bytes: aPdf([`a) Tj ${times(count, 'q ')} (b`]) })),
  nestings.map((count) => file('none.pdf', `%PDF-1.4\n${times(count, '1 0 obj\n<<\n')}`)),
  nestings.map((count) => ({ name: 'sheet.xlsx', bytes: aZip({ 'xl/workbook.xml': times(count, '<a>') }) })),
);
