import { useMemo, useState } from 'react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ArrowUp } from 'lucide-react';
import { useAgentName } from '../api/agents.js';
import { Button } from '../ui/button.js';
import { DataList } from '../ui/data-list.js';
import { Live } from '../ui/live.js';
import { Command, Empty, ProblemNotice } from '../ui/notice.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { BulkMenu } from './bulk/bulk-menu.js';
import { ColumnMenu, useColumnChoice } from './column-menu.js';
import { runColumns } from './columns.js';
import { FilterBar } from './filter-bar.js';
import { isFiltered } from './runs-filter.js';
import { SavedFiltersMenu } from './saved-filters-menu.js';
import { useRuns } from './use-runs.js';

const route = getRouteApi('/runs');

export function RunsScreen() {
  const filter = route.useSearch();
  const navigate = useNavigate();
  const agentName = useAgentName();
  const [isAtTop, setIsAtTop] = useState(true);
  const runs = useRuns(filter, isAtTop);
  const { pages, rows } = runs;
  const { chosen, choose } = useColumnChoice();
  const columns = useMemo(() => runColumns(agentName, chosen), [agentName, chosen]);
  return (
    <>
      <ScreenHeader title="Runs">
        <Live currency={runs.currency} />
        <div className="ml-auto flex items-center gap-1">
          <SavedFiltersMenu filter={filter} />
          <BulkMenu filter={filter} />
          <ColumnMenu chosen={chosen} onChoose={choose} />
        </div>
      </ScreenHeader>
      <FilterBar filter={filter} />
      {runs.fresh > 0 && (
        <div className="flex justify-center border-b border-line bg-accent-soft py-1">
          <Button look="quiet" className="h-6 text-ink" onClick={runs.restart}>
            <ArrowUp aria-hidden className="size-3.5" />
            {runs.hasGap
              ? `More than ${runs.fresh} new runs`
              : `${runs.fresh} new ${runs.fresh === 1 ? 'run' : 'runs'}`}
          </Button>
        </div>
      )}
      {pages.isPending && <ListPlaceholder />}
      {pages.isError && rows.length === 0 && (
        <ProblemNotice
          error={pages.error}
          title="The runs could not be read"
          onRetry={() => void pages.refetch()}
        />
      )}
      {pages.isSuccess && rows.length === 0 && <NoRuns isFiltered={isFiltered(filter)} />}
      {rows.length > 0 && (
        <DataList
          label="Runs"
          rows={rows}
          columns={columns}
          rowKey={({ id }) => id}
          onOpen={({ id }) => void navigate({ to: '/runs/$id', params: { id } })}
          onScrolled={setIsAtTop}
          onNearEnd={() => {
            if (pages.hasNextPage && !pages.isFetchingNextPage && !pages.isError) void pages.fetchNextPage();
          }}
          footer={
            pages.isFetchNextPageError ? (
              <ProblemNotice error={pages.error} onRetry={() => void pages.fetchNextPage()} />
            ) : null
          }
        />
      )}
    </>
  );
}

function ListPlaceholder() {
  return (
    <p role="status" className="p-4 text-muted">
      Reading …
    </p>
  );
}

function NoRuns({ isFiltered: isNarrowed }: { readonly isFiltered: boolean }) {
  const navigate = useNavigate();
  if (isNarrowed) {
    return (
      <Empty title="No run matches the filters">
        <Button onClick={() => void navigate({ to: '/runs', search: {} })}>Clear the filters</Button>
      </Empty>
    );
  }
  const { origin } = location;
  return (
    <Empty title="No runs yet">
      <p className="text-muted">Submit one to an agent, and watch it here:</p>
      <Command
        text={`curl -s ${origin}/api/agents/\ncurl -s ${origin}/api/agents/1/execute/ \\\n  -H 'content-type: application/json' -d '{"input": "Good morning!"}'`}
      />
    </Empty>
  );
}
