import { useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus, UserX } from 'lucide-react';
import { useAgentName } from '../api/agents.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { useKeys } from '../ui/keys.js';
import { Command, Empty } from '../ui/notice.js';
import { PagedList } from '../ui/paged-list.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { WithInspector } from '../ui/with-inspector.js';
import { ForgetExecutor } from './forget-executor.js';
import { MemoryFilterBar } from './memory-filter-bar.js';
import { memoryColumns } from './memory-columns.js';
import { isFiltered, type MemoryFilter } from './memory-filter.js';
import { MemoryInspector } from './memory-inspector.js';
import { memoriesQuery } from './memory-queries.js';
import { NewMemoryForm } from './new-memory-form.js';

const route = getRouteApi('/memory');

/** Memories of executors: read, written, changed and forgotten. */
export function MemoryScreen() {
  const filter = route.useSearch();
  const { open: openId, ...rest } = filter;
  const navigate = useNavigate();
  const agentName = useAgentName();
  const memories = useInfiniteQuery(memoriesQuery(filter));
  const missingScope = useMissingScope('memories:write');
  const [dialog, setDialog] = useState<'new' | 'forget' | null>(null);
  const show = (next: MemoryFilter, replace = true): void =>
    void navigate({ to: '/memory', search: next, replace });
  const close = (): void => setDialog(null);
  const select = (id: number): void => show({ ...rest, open: id });
  useKeys({ Escape: () => show(rest) });
  return (
    <>
      <ScreenHeader title="Memory">
        <div className="flex-1" />
        {filter.executor !== undefined && (
          <Button look="danger" unavailable={missingScope} onClick={() => setDialog('forget')}>
            <UserX aria-hidden className="size-3.5" />
            <span className="max-w-40 truncate">Forget {filter.executor} …</span>
          </Button>
        )}
        <Button look="primary" unavailable={missingScope} onClick={() => setDialog('new')}>
          <Plus aria-hidden className="size-3.5" /> Write a memory
        </Button>
      </ScreenHeader>
      <MemoryFilterBar filter={rest} onChange={show} />
      <WithInspector
        inspector={
          openId !== undefined && <MemoryInspector key={openId} id={openId} onClose={() => show(rest)} />
        }
      >
        <PagedList
          query={memories}
          label="Memories"
          columns={memoryColumns({
            agentName,
            onOpen: select,
            onExecutor: (executor) => show({ ...rest, executor }, false),
          })}
          rowKey={({ id }) => String(id)}
          selectedKey={openId === undefined ? null : String(openId)}
          onOpen={({ id }) => select(id)}
          empty={<NoMemories isNarrowed={isFiltered(filter)} onClear={() => show({})} />}
        />
      </WithInspector>
      {dialog === 'new' && (
        <NewMemoryForm
          executor={filter.executor ?? ''}
          onClose={close}
          onMade={({ id, executor_id: executor }) =>
            show({ ...rest, ...(filter.executor === undefined ? {} : { executor }), open: id })
          }
        />
      )}
      {dialog === 'forget' && filter.executor !== undefined && (
        <ForgetExecutor executor={filter.executor} onClose={close} onForgotten={() => show(rest)} />
      )}
    </>
  );
}

function NoMemories(props: { readonly isNarrowed: boolean; readonly onClear: () => void }) {
  if (props.isNarrowed) {
    return (
      <Empty title="No memory matches the filters">
        <p className="text-muted">An executor is found by the whole id.</p>
        <Button onClick={props.onClear}>Clear the filters</Button>
      </Empty>
    );
  }
  return (
    <Empty title="No memories yet">
      <p className="text-muted">
        An agent learns them where its config says so, of requests that name an executor. A person can write
        one, too:
      </p>
      <Command
        text={`curl -s ${location.origin}/api/memories/ \\\n  -H 'content-type: application/json' \\\n  -d '{"executor_id": "u-17", "text": "Prefers deliveries before nine."}'`}
      />
    </Empty>
  );
}
