import { Plus } from 'lucide-react';
import { answerOf, api } from '../../api/client.js';
import type { Llm } from '../../api/types.js';
import { useMissingScope } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/data-list.js';
import { Command, Empty } from '../../ui/notice.js';
import { PagedList } from '../../ui/paged-list.js';
import { Time } from '../../ui/time.js';
import { ListHead } from '../parts/list-head.js';
import { StateWord } from '../parts/state-word.js';
import { useOpen } from '../parts/use-open.js';
import { usePages } from '../parts/use-pages.js';
import { ModelEditor } from './model-editor.js';
import { LLMS_KEY } from './model-queries.js';

/** Model configurations of the tenant. */
export function ModelsTab() {
  const { open, show } = useOpen();
  if (open !== null) return <ModelEditor key={open} id={open === 'new' ? null : Number(open)} />;
  return <ModelConfigurations onOpen={show} />;
}

function ModelConfigurations({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const missingScope = useMissingScope('agents:write');
  const list = usePages<Llm>(LLMS_KEY, (query, signal) =>
    answerOf(api.GET('/api/llms/', { params: { query }, signal })),
  );
  return (
    <>
      <ListHead>
        <p className="text-muted">A model, its provider and its key, which agents refer to.</p>
        <Button look="primary" className="ml-auto" unavailable={missingScope} onClick={() => onOpen('new')}>
          <Plus aria-hidden className="size-4" /> New configuration
        </Button>
      </ListHead>
      <PagedList
        label="Model configurations"
        query={list}
        columns={columnsOf(onOpen)}
        rowKey={({ id }) => String(id)}
        onOpen={({ id }) => onOpen(String(id))}
        empty={
          <Empty title="No model configurations yet">
            <p className="text-muted">Make one here, or by a request:</p>
            <Command
              text={`curl -s ${location.origin}/api/llms/ -H 'content-type: application/json' \\\n  -d '{"name": "Our account", "model": "gpt-5-mini", "credentials": {"openai_api_key": "sk-…"}}'`}
            />
          </Empty>
        }
      />
    </>
  );
}

function columnsOf(onOpen: (id: string) => void): Column<Llm>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      track: 'minmax(9rem, 1fr)',
      cell: ({ id, name }) => (
        <button
          type="button"
          title={name}
          className="max-w-full truncate hover:underline"
          onClick={() => onOpen(String(id))}
        >
          {name}
        </button>
      ),
    },
    {
      id: 'model',
      header: 'Model',
      track: 'minmax(8rem, 1fr)',
      cell: ({ model }) => (
        <span className="font-mono text-sm" title={model}>
          {model}
        </span>
      ),
    },
    { id: 'provider', header: 'Provider', track: '9rem', from: 720, cell: ({ provider }) => provider },
    {
      id: 'key',
      header: 'Key',
      track: '8rem',
      from: 860,
      cell: ({ api_key_hint }) =>
        api_key_hint === null ? (
          <span className="text-muted">the server’s</span>
        ) : (
          <span className="font-mono text-sm">…{api_key_hint}</span>
        ),
    },
    {
      id: 'state',
      header: 'State',
      track: '6.5rem',
      from: 520,
      cell: ({ is_active }) => <StateWord word={is_active ? 'Active' : 'Inactive'} />,
    },
    {
      id: 'updated',
      header: 'Changed',
      track: '6rem',
      from: 960,
      isNumber: true,
      cell: ({ updated_at }) => <Time at={updated_at} />,
    },
  ];
}
