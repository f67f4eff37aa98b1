import { describe, expect, it } from '@jest/globals';
import { readBy } from '../../../../test/support/builders/parsed-document.js';
import { aDocx, aParagraph, aZip } from '../../../../test/support/builders/zip.js';
import { parseDocx } from './parse-docx.js';

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const cell = (text: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${aParagraph(text)}</w:tc>`;
const row = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`;
const table = (...rows: string[]): string => `<w:tbl>${rows.join('')}</w:tbl>`;
const box = (text: string): string => `<w:txbxContent>${aParagraph(text)}</w:txbxContent>`;
const formula = (inside: string): string => `<w:p><m:oMath>${inside}</m:oMath></w:p>`;
const math = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;

const RELATED = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships>${Object.entries(targets)
    .map(([type, target]) => `<Relationship Type="${RELATED}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const textsOf = async (bytes: Buffer): Promise<readonly string[]> => (await readBy(parseDocx, bytes)).texts;

describe('a Word document', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'has the text of a box once, behind its paragraph',
      `<w:p>${run('Before')}<w:r><mc:AlternateContent><mc:Choice>${box('Total')}</mc:Choice><mc:Fallback>${box('Total')}</mc:Fallback></mc:AlternateContent></w:r>${run(' it')}</w:p>`,
      ['Before it', 'Total'],
    ],
    [
      'has text that moved at its new place',
      `<w:p><w:moveFrom>${run('moved')}</w:moveFrom></w:p>${aParagraph('One')}<w:p><w:moveTo>${run('moved')}</w:moveTo></w:p>`,
      ['One', 'moved'],
    ],
    [
      'has inserted text, and none that is deleted or hidden',
      `<w:p><w:ins>${run('new')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t> seen</w:t></w:r></w:p>`,
      ['new seen'],
    ],
    [
      'has formulas',
      `<w:p>${run('area ')}<m:oMath>${math('A=πr')}</m:oMath>${run(' is')}</w:p>`,
      ['area A=πr is'],
    ],
    [
      'has formulas with their powers, fractions and roots',
      formula(
        `<m:sSup><m:e>${math('x')}</m:e><m:sup>${math('2')}</m:sup></m:sSup>${math('=')}<m:f><m:num>${math('a+b')}</m:num><m:den>${math('2')}</m:den></m:f>${math('+')}<m:rad><m:deg/><m:e>${math('y+1')}</m:e></m:rad><m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${math('z')}</m:e></m:d>`,
      ),
      ['x^2=(a+b)/2+√(y+1)[z]'],
    ],
    [
      'has tables whose values stand under their columns, where those are merged',
      table(
        row(cell('Item', '<w:vMerge w:val="restart"/>'), cell('Price', '<w:gridSpan w:val="2"/>')),
        row(cell('', '<w:vMerge/>'), cell('Net'), cell('Gross')),
        row(cell('Bolt', '<w:vMerge w:val="restart"/>'), cell('1.00'), cell('1.19')),
        row(cell('', '<w:vMerge/>'), cell('2.00'), cell('2.38')),
      ),
      [
        'Item; Price',
        'Net; Gross',
        'Item: Bolt; Price / Net: 1.00; Price / Gross: 1.19',
        'Item: Bolt; Price / Net: 2.00; Price / Gross: 2.38',
      ],
    ],
    [
      'has tables whose first row is marked as values',
      table(
        '<w:tblPr><w:tblLook w:firstRow="0"/></w:tblPr>',
        row(cell('Ada'), cell('London')),
        row(cell('Bob')),
      ),
      ['Ada; London', 'Bob'],
    ],
  ])('%s', async (_what, body, expected) => {
    expect(await textsOf(aDocx(body))).toEqual(expected);
  });

  it('has its notes behind the paragraph that refers to them, each once', async () => {
    const bytes = aZip({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relationships({ officeDocument: 'word/document.xml' }),
      'word/_rels/document.xml.rels': relationships({
        footnotes: 'footnotes.xml',
        endnotes: '/word/end.xml',
      }),
      'word/footnotes.xml': `<w:footnotes><w:footnote w:id="2">${aParagraph('Except for negligence')}</w:footnote><w:footnote w:id="3">${aParagraph('never')}</w:footnote></w:footnotes>`,
      'word/end.xml': `<w:endnotes><w:endnote w:id="2">${aParagraph('Section 276')}</w:endnote></w:endnotes>`,
      'word/document.xml': `<w:document><w:body><w:p>${run('Limited')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>${table(row(`<w:tc><w:p>${run('cell')}<w:r><w:endnoteReference w:id="2"/></w:r></w:p></w:tc>`))}<w:p>${run('Again')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p></w:body></w:document>`,
    });
    expect(await textsOf(bytes)).toEqual([
      'Limited',
      'Except for negligence',
      'cell',
      'Section 276',
      'Again',
    ]);
  });

  it.each([
    ['word/document2.xml', '/word/document2.xml'],
    ['doc/main.xml', 'doc/main.xml'],
    ['Word/Document.xml', 'word/document.xml'],
  ])('may have its main part at %s', async (name, target) => {
    const body = `<ns0:document xmlns:ns0="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><ns0:body><ns0:p><ns0:pPr><ns0:pStyle ns0:val="Heading1"/></ns0:pPr><ns0:r><ns0:t>One</ns0:t></ns0:r></ns0:p></ns0:body></ns0:document>`;
    const files = {
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relationships({ officeDocument: target }),
      [name]: body,
    };
    expect((await readBy(parseDocx, aZip(files))).blocks).toEqual([
      { kind: 'heading', level: 1, text: 'One' },
    ]);
  });

  it('is none where its main part is of another kind', async () => {
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
    const files = {
      '[Content_Types].xml': `<Types><Override PartName="/xl/workbook.xml" ContentType="${type}"/></Types>`,
      '_rels/.rels': relationships({ officeDocument: 'xl/workbook.xml' }),
      'xl/workbook.xml': '<workbook/>',
    };
    await expect(readBy(parseDocx, aZip(files))).rejects.toMatchObject({ fault: 'wrong_type' });
  });
});
