import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useAgentName } from '../api/agents.js';
import type { UsageGroup } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { formatCost, formatTokens } from '../format/amounts.js';
import { csvOf } from '../format/csv.js';
import { Button } from '../ui/button.js';
import { DataList } from '../ui/data-list.js';
import { downloadText } from '../ui/download.js';
import { Figure, Figures } from '../ui/figures.js';
import { Empty, ProblemNotice } from '../ui/notice.js';
import { useMinute } from '../ui/now.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { sumOf, type Amounts } from './sums.js';
import { gapsOf, usageColumns } from './usage-columns.js';
import { SPLIT_WORDS, UsageControls } from './usage-controls.js';
import { UsageChart } from './usage-chart.js';
import { CSV_HEADER, csvRow } from './usage-csv.js';
import { usageQuery } from './usage-queries.js';
import { rowsOf, type GroupRow } from './usage-rows.js';
import { rangeOf, type UsageRange, type UsageSearch } from './usage-search.js';

const route = getRouteApi('/usage');

export function UsageScreen() {
  const search = route.useSearch();
  const missingAdmin = useMissingScope('admin');
  const { by = 'model', show: measure = 'cost', agent, executor } = search;
  const range = rangeOf(search, useMinute());
  const isRefused = by === 'tenant' && missingAdmin !== null;
  const narrowed = { ...range, agent, executor };
  const groups = useQuery(usageQuery(isRefused ? null : { ...narrowed, groupBy: by }));
  // Sums of one tenant make no sense beside those of all, whose total is that of the groups.
  const total: UsageGroup | null = by === 'tenant' ? null : range.unit;
  const overTime = useQuery(usageQuery(total === null ? null : { ...narrowed, groupBy: total }));
  const agentName = useAgentName();
  const sums = groups.data?.sums ?? [];
  const parts = by === 'tenant' ? groups.data?.sums : overTime.data?.sums;
  const all = parts === undefined ? null : sumOf(parts);
  const rows = rowsOf(sums, all, { by, measure, agentName });
  return (
    <div className="flex min-h-0 flex-1 flex-col max-md:overflow-y-auto">
      <ScreenHeader title="Usage">
        <span role="status" className="text-sm text-muted">
          {groups.isFetching ? 'Reading …' : rangeWords(range)}
        </span>
        <Button className="ml-auto" disabled={rows.length === 0} onClick={() => saveCsv(rows, search, range)}>
          <Download aria-hidden className="size-3.5" /> CSV
        </Button>
      </ScreenHeader>
      <UsageControls search={search} />
      {isRefused && (
        <Empty title="The sums of all tenants">
          <p className="text-muted">{missingAdmin}.</p>
        </Empty>
      )}
      {groups.isError && sums.length === 0 && (
        <ProblemNotice
          error={groups.error}
          title="The usage could not be read"
          onRetry={() => void groups.refetch()}
        />
      )}
      {groups.isSuccess && !isRefused && sums.length === 0 && all?.calls === 0 && <NoUsage search={search} />}
      {rows.length > 0 && all !== null && (
        <>
          <Totals all={all} />
          <UsageChart
            question={narrowed}
            rows={rows}
            totals={overTime.data?.sums ?? []}
            by={by}
            measure={measure}
          />
          {groups.data?.isCut === true && (
            <p className="px-4 pb-2 text-sm text-action">Only the first 2,000 groups are shown.</p>
          )}
          <Groups rows={rows} header={SPLIT_WORDS[by]} />
        </>
      )}
    </div>
  );
}

function Groups({ rows, header }: { readonly rows: readonly GroupRow[]; readonly header: string }) {
  const navigate = useNavigate();
  return (
    <div className="flex min-h-0 flex-1 flex-col border-t border-line max-md:min-h-[60dvh] max-md:shrink-0">
      <DataList
        label={`Usage by ${header.toLowerCase()}`}
        rows={rows}
        columns={usageColumns(header)}
        rowKey={({ key, name }) => `${key} ${name}`}
        onOpen={({ runs }) => {
          if (runs !== null) void navigate({ to: '/runs', search: runs });
        }}
      />
    </div>
  );
}

function Totals({ all }: { readonly all: Amounts }) {
  const gaps = gapsOf(all);
  return (
    <Figures label="Sums">
      <Figure
        name="Cost"
        value={formatCost(all.total_cost_usd)}
        note={all.unpriced_calls > 0 || all.unknown_calls > 0 ? 'as far as it is known' : undefined}
      />
      <Figure name="Tokens" value={formatTokens(all.total_tokens)} />
      <Figure
        name="Input"
        value={formatTokens(all.input_tokens)}
        note={`${formatTokens(all.cache_read_tokens)} from a cache`}
      />
      <Figure
        name="Output"
        value={formatTokens(all.output_tokens)}
        note={`${formatTokens(all.reasoning_tokens)} reasoning`}
      />
      <Figure
        name="Calls"
        value={formatTokens(all.calls)}
        note={all.failed_calls > 0 ? `${formatTokens(all.failed_calls)} failed` : undefined}
      />
      <Figure name="Not in the sums" value={gaps === '' ? 'none' : gaps} note="calls" />
    </Figures>
  );
}

function NoUsage({ search }: { readonly search: UsageSearch }) {
  const navigate = useNavigate();
  if (search.agent !== undefined || search.executor !== undefined) {
    const { agent: _agent, executor: _executor, ...wider } = search;
    return (
      <Empty title="No usage matches the filters">
        <Button onClick={() => void navigate({ to: '/usage', search: wider })}>Clear the filters</Button>
      </Empty>
    );
  }
  return (
    <Empty title="No usage in this time">
      <p className="text-muted">
        Calls of models appear here when their run has ended. Choose a longer window, or submit a run.
      </p>
    </Empty>
  );
}

const DAY_AND_TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

function rangeWords({ from, to }: UsageRange): string {
  return `${DAY_AND_TIME.format(Date.parse(from))} – ${DAY_AND_TIME.format(Date.parse(to))} UTC`;
}

function saveCsv(rows: readonly GroupRow[], { by = 'model' }: UsageSearch, { from, to }: UsageRange): void {
  const text = csvOf(
    CSV_HEADER,
    rows.map((row) => csvRow(row.key, row.name, row)),
  );
  downloadText(text, `usage-${by}-${from.slice(0, 10)}-${to.slice(0, 10)}.csv`);
}
