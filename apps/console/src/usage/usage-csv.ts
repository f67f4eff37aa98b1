import type { CsvCell } from '../format/csv.js';
import type { Amounts } from './sums.js';

export const CSV_HEADER = [
  'group',
  'name',
  'calls',
  'failed_calls',
  'unknown_calls',
  'unpriced_calls',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
  'reasoning_tokens',
  'total_tokens',
  'total_cost_usd',
] as const;

/** A row of the table of usage as cells of a CSV file. Pure. */
export function csvRow(key: string, name: string, amounts: Amounts): CsvCell[] {
  return [
    ...[key, name, amounts.calls, amounts.failed_calls, amounts.unknown_calls, amounts.unpriced_calls],
    ...[amounts.input_tokens, amounts.cache_read_tokens, amounts.output_tokens],
    ...[amounts.reasoning_tokens, amounts.total_tokens, amounts.total_cost_usd],
  ];
}
