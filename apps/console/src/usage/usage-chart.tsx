import { useQuery } from '@tanstack/react-query';
import type { UsageSum } from '../api/types.js';
import { formatCost, formatTokens } from '../format/amounts.js';
import { Chart } from '../ui/chart.js';
import type { ChartSeries } from '../ui/stack-series.js';
import { seriesOf, totalSeries, type Series } from './series.js';
import { usageQuery, type UsageQuestion } from './usage-queries.js';
import type { GroupRow } from './usage-rows.js';
import { partsOf, type Measure, type Split } from './usage-search.js';

/** Sums of more groups and parts than that would take too many requests: their total is drawn alone. */
const MAX_SUMS = 1_500;

interface UsageChartProps {
  readonly question: Omit<UsageQuestion, 'groupBy'>;
  readonly rows: readonly GroupRow[];
  /** Sums of the parts of the range. */
  readonly totals: readonly UsageSum[];
  readonly by: Split;
  readonly measure: Measure;
}

/** Amounts over time, split where there are not too many groups. */
export function UsageChart({ question, rows, totals, by, measure }: UsageChartProps) {
  const parts = partsOf(question);
  const isSplit = rows.length * parts.length <= MAX_SUMS;
  const split = useQuery(usageQuery(isSplit ? { ...question, groupBy: `${question.unit},${by}` } : null));
  const coloured = rows.filter(({ colour }) => colour !== null);
  const keys = coloured.map(({ key }) => key);
  const shown = isSplit ? split.data : undefined;
  const series =
    shown === undefined
      ? [totalSeries(totals, parts, measure)]
      : seriesOf(shown.sums, parts, { by, keys, measure });
  const format = (value: number | null): string =>
    measure === 'cost' ? formatCost(value === null ? null : String(value)) : briefCount(value);
  return (
    <div className="shrink-0 px-4 pb-2">
      <Chart
        label={`${{ cost: 'Cost', tokens: 'Tokens', calls: 'Calls' }[measure]} per ${question.unit}`}
        times={parts}
        step={question.unit === 'day' ? 86_400 : 3_600}
        series={series.map((line) => drawn(line, coloured, shown !== undefined))}
        format={format}
      />
      {!isSplit && (
        <p className="text-sm text-muted">
          {rows.length.toLocaleString('en-US')} groups are too many to split over time.
        </p>
      )}
    </div>
  );
}

function drawn({ key, values }: Series, rows: readonly GroupRow[], isSplit: boolean): ChartSeries {
  const row = key === null ? undefined : rows.find((each) => each.key === key);
  const name = row?.name ?? (isSplit ? 'All others' : 'All');
  return { name, colour: row?.colour ?? 'var(--series-others)', values };
}

const BRIEF = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** A count in few characters for the axis; null is unknown. */
function briefCount(value: number | null): string {
  return value === null || value < 1000 ? formatTokens(value) : BRIEF.format(value);
}
