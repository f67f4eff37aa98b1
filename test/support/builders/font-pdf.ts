/** A font with numbered glyphs that is not embedded in the file (ISO 32000-1, 9.7). */
export interface NumberedFont {
  /** The character map from codes to glyphs. */
  readonly encoding?: string;
  /** The character collection that numbers the glyphs. */
  readonly ordering?: string;
  /** The letters of codes, both in hexadecimal; without them the file does not map its glyphs to letters. */
  readonly letters?: readonly (readonly [code: string, unicode: string])[];
}

/** A text with the place where it begins, from the lower left corner; `turned` a quarter to the right. */
export interface PlacedText {
  readonly text: string;
  readonly at: readonly [x: number, y: number];
  readonly size?: number;
  readonly turned?: boolean;
}

/**
 * A PDF with a page for each list of texts: texts in angle brackets are codes of the font, others are ASCII. A text begins
 * where the one before it ends, or at its place if it has one; an empty text begins a new line.
 */
export function aFontPdf(
  pages: readonly (readonly (string | PlacedText)[])[],
  font: NumberedFont = {},
): Buffer {
  const { encoding = 'Identity-H', ordering = 'Identity', letters } = font;
  const first = 8;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_page, at) => `${first + at * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /Numbered /Encoding /${encoding} /DescendantFonts [5 0 R]${letters === undefined ? '' : ' /ToUnicode 7 0 R'} >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Numbered /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 /FontDescriptor 6 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Numbered /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    streamOf(toUnicode(letters ?? [])),
  ];
  for (const texts of pages) {
    const content = texts.map(shown).join('\n');
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length + 2} 0 R /Resources << /Font << /A 3 0 R /N 4 0 R >> >> >>`,
      streamOf(content === '' ? '' : `BT 24 TL 50 700 Td\n${content}\nET`),
    );
  }
  return assembled(objects);
}

function shown(given: string | PlacedText): string {
  if (typeof given === 'string') return shownText(given, 24);
  const { text, at, size = 24, turned = false } = given;
  return `${turned ? '0 -1 1 0' : '1 0 0 1'} ${at.join(' ')} Tm ${shownText(text, size)}`;
}

function shownText(text: string, size: number): string {
  if (text === '') return 'T*';
  return text.startsWith('<') ? `/N ${size} Tf ${text} Tj` : `/A ${size} Tf (${text}) Tj`;
}

function toUnicode(letters: readonly (readonly [string, string])[]): string {
  const rows = letters.map(([code, unicode]) => `<${code}> <${unicode}>`).join('\n');
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <0000> <FFFF> endcodespacerange ${letters.length} beginbfchar\n${rows}\nendbfchar endcmap end end`;
}

function streamOf(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

function assembled(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${trailer}`,
    'latin1',
  );
}
