import { CsvError, parse } from 'csv-parse';
import { UnreadableDocumentError } from '#libs/knowledge';
import { decodeText } from '../decode-text.js';
import type { ParseKind } from '../block-writer.js';

const DELIMITERS = [',', ';', '\t', '|'];
const MAX_RECORD_CHARS = 1_000_000;

/** The first row names the columns (RFC 4180); commas, semicolons, tabs or bars, whichever it has most of. */
export const parseCsv: ParseKind = async (bytes, write) => {
  const text = decodeText(bytes);
  const rows = parse(text, {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_CHARS,
  });
  let columns: readonly string[] | null = null;
  try {
    for await (const row of rows as AsyncIterable<readonly string[]>) {
      if (columns === null) columns = row;
      else await write({ kind: 'row', cells: cellsOf(columns, row) });
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableDocumentError('damaged');
    throw error;
  }
  // A table without rows says what its columns are called.
  if (columns !== null && rows.info.records === 1) await write({ kind: 'text', text: columns.join('\n') });
};

function cellsOf(columns: readonly string[], row: readonly string[]): (readonly [string, string])[] {
  return row.map((value, index) => [columns[index] ?? '', value]);
}

function delimiterOf(text: string): string {
  const first = text.slice(0, text.indexOf('\n') + 1 || undefined);
  const counts = DELIMITERS.map((delimiter) => first.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}
