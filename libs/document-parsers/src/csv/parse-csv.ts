import { CsvError, parse } from 'csv-parse';
import { UnreadableDocumentError } from '#libs/knowledge';
import type { ParseKind } from '../block-sink.js';
import { readText } from '../encoding/read-text.js';

const DELIMITERS = [',', ';', '\t', '|'];
/** Maximum characters of one record; longer ones mostly come from an unclosed quote. */
const MAX_RECORD_CHARS = 16_000_000;
/** First line by which Excel marks the separator. */
const SEPARATOR_LINE = /^"?sep=(.)"?\n/i;

/** The first row names the columns (RFC 4180). The separator is the most frequent of comma, semicolon, tab and bar. */
export const parseCsv: ParseKind = async (document, sink) => {
  const { text, delimiter } = withoutSeparatorLine(readText(document, sink));
  const rows = parse(text, {
    delimiter: delimiter ?? delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_CHARS,
  });
  let columns: readonly string[] | null = null;
  try {
    for await (const row of rows as AsyncIterable<readonly string[]>) {
      if (columns === null) columns = row;
      else await sink.write({ kind: 'row', cells: cellsOf(columns, row) });
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableDocumentError('damaged');
    throw error;
  }
  // Without rows, the column names are the only text.
  if (columns !== null && rows.info.records === 1)
    await sink.write({ kind: 'text', text: columns.join('\n') });
};

function withoutSeparatorLine(text: string): { readonly text: string; readonly delimiter: string | null } {
  const [line, delimiter] = SEPARATOR_LINE.exec(text.slice(0, 10)) ?? [];
  if (line === undefined || delimiter === undefined) return { text, delimiter: null };
  return { text: text.slice(line.length), delimiter };
}

function cellsOf(columns: readonly string[], row: readonly string[]): (readonly [string, string])[] {
  return row.map((value, index) => [columns[index] ?? '', value]);
}

function delimiterOf(text: string): string {
  const first = text.slice(0, text.indexOf('\n') + 1 || undefined);
  const counts = DELIMITERS.map((delimiter) => first.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}
