import { Link } from '@tanstack/react-router';
import { formatCost, formatTokens, UNKNOWN } from '../format/amounts.js';
import { Swatch } from '../ui/chart.js';
import { ClippedText } from '../ui/clipped-text.js';
import type { Column } from '../ui/data-list.js';
import type { Amounts } from './sums.js';
import type { GroupRow } from './usage-rows.js';

/** Columns of the sums; narrow lists leave out what matters least. */
export function usageColumns(header: string): Column<GroupRow>[] {
  return [
    {
      id: 'name',
      header,
      track: 'minmax(9rem, 1fr)',
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-2">
          {row.colour === null ? <span className="size-2.5 shrink-0" /> : <Swatch colour={row.colour} />}
          {row.runs === null ? (
            <span className="min-w-0" title={row.name}>
              <ClippedText text={row.name} />
            </span>
          ) : (
            <Link
              to="/runs"
              search={row.runs}
              title={`Runs: ${row.name}`}
              className="min-w-0 hover:underline"
            >
              <ClippedText text={row.name} />
            </Link>
          )}
        </span>
      ),
    },
    amount('calls', 'Calls', '5rem', ({ calls }) => formatTokens(calls)),
    amount('failed', 'Failed', '4.5rem', ({ failed_calls }) => formatTokens(failed_calls), 760),
    amount('input', 'Input', '6.5rem', ({ input_tokens }) => formatTokens(input_tokens), 860),
    amount('cached', 'Cached', '6.5rem', ({ cache_read_tokens }) => formatTokens(cache_read_tokens), 1080),
    amount('output', 'Output', '6.5rem', ({ output_tokens }) => formatTokens(output_tokens), 860),
    amount('tokens', 'Tokens', '6.5rem', ({ total_tokens }) => formatTokens(total_tokens), 520),
    amount('cost', 'Cost', '5.5rem', ({ total_cost_usd }) => formatCost(total_cost_usd)),
    {
      id: 'gaps',
      header: 'Not in the sums',
      track: '10rem',
      from: 1180,
      cell: (row) => <span className="text-muted">{gapsOf(row)}</span>,
    },
    {
      id: 'share',
      header: 'Share',
      track: '6rem',
      from: 640,
      isNumber: true,
      cell: ({ share, colour }) => (
        <span className="flex items-center justify-end gap-2">
          <span aria-hidden className="h-1.5 w-10 rounded-full bg-line">
            <span
              className="block h-full rounded-full"
              style={{ width: `${(share ?? 0) * 100}%`, backgroundColor: colour ?? 'var(--series-others)' }}
            />
          </span>
          <span className="w-9">{share === null ? '–' : `${Math.round(share * 100)} %`}</span>
        </span>
      ),
    },
  ];
}

function amount(
  id: string,
  header: string,
  track: string,
  textOf: (row: GroupRow) => string,
  from?: number,
): Column<GroupRow> {
  return {
    ...{ id, header, track, isNumber: true },
    ...(from === undefined ? {} : { from }),
    cell: (row) => {
      const text = textOf(row);
      return <span className={text === UNKNOWN ? 'text-muted' : ''}>{text}</span>;
    },
  };
}

/** Calls that sums leave out, in words. */
export function gapsOf({ unknown_calls, unpriced_calls }: Amounts): string {
  return [
    ...(unknown_calls > 0 ? [`${unknown_calls.toLocaleString('en-US')} unknown`] : []),
    ...(unpriced_calls > 0 ? [`${unpriced_calls.toLocaleString('en-US')} unpriced`] : []),
  ].join(', ');
}
