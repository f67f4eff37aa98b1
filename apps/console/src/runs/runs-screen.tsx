import { useMemo, useState } from 'react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useAgentName } from '../api/agents.js';
import { Button } from '../ui/button.js';
import { Live } from '../ui/live.js';
import { NewRows } from '../ui/new-rows.js';
import { Command, Empty } from '../ui/notice.js';
import { PagedList } from '../ui/paged-list.js';
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
  const { chosen, choose } = useColumnChoice();
  const columns = useMemo(() => runColumns(agentName, chosen), [agentName, chosen]);
  return (
    <>
      <ScreenHeader title="Runs">
        <Live currency={runs.currency} error={runs.error} />
        <div className="ml-auto flex items-center gap-1">
          <SavedFiltersMenu filter={filter} />
          <BulkMenu filter={filter} />
          <ColumnMenu chosen={chosen} onChoose={choose} />
        </div>
      </ScreenHeader>
      <FilterBar filter={filter} />
      <NewRows count={runs.fresh} hasGap={runs.hasGap} words={['run', 'runs']} onShow={runs.restart} />
      <PagedList
        query={runs.pages}
        rows={runs.rows}
        label="Runs"
        problemTitle="The runs could not be read"
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/runs/$id', params: { id } })}
        onScrolled={setIsAtTop}
        empty={<NoRuns isFiltered={isFiltered(filter)} />}
      />
    </>
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
