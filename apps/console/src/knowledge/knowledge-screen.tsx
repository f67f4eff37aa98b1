import { useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { Datasource } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import type { Column } from '../ui/data-list.js';
import { Command, Empty } from '../ui/notice.js';
import { PagedList } from '../ui/paged-list.js';
import { ScreenHeader } from '../ui/screen-header.js';
import { Time } from '../ui/time.js';
import { DatasourceForm } from './datasource-form.js';
import { datasourcesQuery } from './knowledge-queries.js';

/** All datasources of the tenant. */
export function KnowledgeScreen() {
  const navigate = useNavigate();
  const datasources = useInfiniteQuery(datasourcesQuery);
  const missingScope = useMissingScope('agents:write');
  const [isCreating, setIsCreating] = useState(false);
  const open = (id: number): void => void navigate({ to: '/knowledge/$id', params: { id: String(id) } });
  return (
    <>
      <ScreenHeader title="Knowledge">
        <div className="flex-1" />
        <Button look="primary" unavailable={missingScope} onClick={() => setIsCreating(true)}>
          <Plus aria-hidden className="size-3.5" /> New datasource
        </Button>
      </ScreenHeader>
      <PagedList
        query={datasources}
        label="Datasources"
        columns={COLUMNS}
        rowKey={({ id }) => String(id)}
        onOpen={({ id }) => open(id)}
        empty={<NoDatasources />}
      />
      {isCreating && (
        <DatasourceForm current={null} onClose={() => setIsCreating(false)} onSaved={({ id }) => open(id)} />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Datasource>[] = [
  {
    id: 'name',
    header: 'Datasource',
    track: 'minmax(8rem, 16rem)',
    cell: ({ id, name }) => (
      <Link to="/knowledge/$id" params={{ id: String(id) }} className="font-medium hover:underline">
        {name}
      </Link>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    track: 'minmax(8rem, 1fr)',
    from: 860,
    cell: ({ description }) => <span className="text-muted">{description}</span>,
  },
  {
    id: 'documents',
    header: 'Documents',
    track: '5.5rem',
    isNumber: true,
    cell: ({ document_count }) => document_count.toLocaleString('en-US'),
  },
  {
    id: 'model',
    header: 'Embedding model',
    track: 'minmax(8rem, 14rem)',
    from: 560,
    cell: ({ embed_model, dimensions }) => (
      <>
        {embed_model} <span className="text-muted">{dimensions}</span>
      </>
    ),
  },
  {
    id: 'chunks',
    header: 'Chunk tokens',
    track: '7rem',
    isNumber: true,
    from: 1000,
    cell: ({ chunk_tokens, overlap_tokens }) => `${chunk_tokens}, overlap ${overlap_tokens}`,
  },
  {
    id: 'updated',
    header: 'Changed',
    track: '5.5rem',
    isNumber: true,
    from: 460,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
];

function NoDatasources() {
  return (
    <Empty title="No datasources yet">
      <p className="text-muted">
        A datasource holds documents that agents search together. Make one here, or by the API:
      </p>
      <Command
        text={`curl -s ${location.origin}/api/datasources/ \\\n  -H 'content-type: application/json' -d '{"name": "handbook", "llm_id": 1,\n  "embed_model": "text-embedding-3-small", "dimensions": 1024}'`}
      />
    </Empty>
  );
}
