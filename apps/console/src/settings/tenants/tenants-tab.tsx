import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { answerOf, api } from '../../api/client.js';
import type { Tenant } from '../../api/types.js';
import { versionedAnswerOf } from '../../api/versioned.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/data-list.js';
import { Empty, ProblemNotice } from '../../ui/notice.js';
import { PagedList } from '../../ui/paged-list.js';
import { Time } from '../../ui/time.js';
import { ListHead } from '../parts/list-head.js';
import { StateWord } from '../parts/state-word.js';
import { useOpen } from '../parts/use-open.js';
import { usePages } from '../parts/use-pages.js';
import { TENANTS_KEY, TenantForm } from './tenant-form.js';

/** Tenants of the installation. */
export function TenantsTab() {
  const { open, show } = useOpen();
  if (open === 'new') return <TenantForm stored={null} />;
  if (open !== null) return <TenantEditor key={open} id={open} />;
  return <TenantList onOpen={show} />;
}

function TenantEditor({ id }: { readonly id: string }) {
  const tenant = useQuery({
    queryKey: [...TENANTS_KEY, 'one', id],
    ...{ gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false },
    queryFn: ({ signal }) =>
      versionedAnswerOf(api.GET('/api/tenants/{id}/', { params: { path: { id } }, signal })),
  });
  if (tenant.data !== undefined) return <TenantForm stored={tenant.data} />;
  if (!tenant.isError) return null;
  return (
    <ProblemNotice
      error={tenant.error}
      title="The tenant could not be read"
      onRetry={() => void tenant.refetch()}
    />
  );
}

function TenantList({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const list = usePages<Tenant>(TENANTS_KEY, (query, signal) =>
    answerOf(api.GET('/api/tenants/', { params: { query }, signal })),
  );
  return (
    <>
      <ListHead>
        <p className="text-muted">Organisations with their own prompt, settings and limits.</p>
        <Button look="primary" className="ml-auto" onClick={() => onOpen('new')}>
          <Plus aria-hidden className="size-4" /> New tenant
        </Button>
      </ListHead>
      <PagedList
        label="Tenants"
        query={list}
        columns={columnsOf(onOpen)}
        rowKey={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        empty={
          <Empty title="No tenants yet">
            <p className="text-muted">Keys of a tenant see nothing of another one.</p>
          </Empty>
        }
      />
    </>
  );
}

function columnsOf(onOpen: (id: string) => void): Column<Tenant>[] {
  const limit = (value: number | null): string => (value === null ? 'none' : value.toLocaleString('en-US'));
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
          onClick={() => onOpen(id)}
        >
          {name}
        </button>
      ),
    },
    {
      id: 'id',
      header: 'Id',
      track: 'minmax(7rem, 14rem)',
      from: 560,
      cell: ({ id }) => <span className="font-mono text-sm">{id}</span>,
    },
    {
      id: 'state',
      header: 'State',
      track: '6.5rem',
      cell: ({ status }) => <StateWord word={status === 'active' ? 'Active' : 'Inactive'} />,
    },
    {
      id: 'queued',
      header: 'Queue limit',
      track: '6.5rem',
      from: 760,
      isNumber: true,
      cell: ({ settings }) => limit(settings.limits.queued_executions),
    },
    {
      id: 'days',
      header: 'Kept for days',
      track: '7rem',
      from: 860,
      isNumber: true,
      cell: ({ settings }) => limit(settings.retention.days),
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
