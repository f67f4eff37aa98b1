import { useState } from 'react';
import { Plus } from 'lucide-react';
import { answerOf, api } from '../../api/client.js';
import type { ApiKey } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/data-list.js';
import { Select } from '../../ui/field.js';
import { Empty } from '../../ui/notice.js';
import { PagedList } from '../../ui/paged-list.js';
import { Time } from '../../ui/time.js';
import { ListHead } from '../parts/list-head.js';
import { StateWord } from '../parts/state-word.js';
import { useOpen } from '../parts/use-open.js';
import { usePages } from '../parts/use-pages.js';
import { KeyDetails } from './key-details.js';
import { KeyForm } from './key-form.js';

const STATES = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const;
type State = keyof typeof STATES;

/** API keys of all tenants. */
export function KeysTab() {
  const { open, show } = useOpen();
  if (open === 'new') return <KeyForm />;
  if (open !== null) return <KeyDetails id={open} />;
  return <KeyList onOpen={show} />;
}

function KeyList({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const [status, setStatus] = useState<State | null>('active');
  const list = usePages<ApiKey>(['settings', 'api-keys', status], (page, signal) => {
    const query = { ...page, ...(status === null ? {} : { status }) };
    return answerOf(api.GET('/api/api-keys/', { params: { query }, signal }));
  });
  return (
    <>
      <ListHead>
        <Select
          aria-label="Status"
          value={status ?? ''}
          onChange={({ target }) => setStatus(target.value === '' ? null : (target.value as State))}
        >
          <option value="">Every status</option>
          {Object.entries(STATES).map(([name, word]) => (
            <option key={name} value={name}>
              {word}
            </option>
          ))}
        </Select>
        <Button look="primary" className="ml-auto" onClick={() => onOpen('new')}>
          <Plus aria-hidden className="size-4" /> New key
        </Button>
      </ListHead>
      <PagedList
        label="API keys"
        query={list}
        columns={columnsOf(onOpen)}
        rowKey={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        empty={
          <Empty title={status === null ? 'No API keys yet' : `No ${status} key`}>
            <p className="text-muted">
              A key lets a program call the API, or a person sign in here, for one tenant and some scopes.
            </p>
          </Empty>
        }
      />
    </>
  );
}

function columnsOf(onOpen: (id: string) => void): Column<ApiKey>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      track: 'minmax(9rem, 1fr)',
      cell: ({ id, name }) => (
        <button type="button" className="max-w-full truncate hover:underline" onClick={() => onOpen(id)}>
          {name}
        </button>
      ),
    },
    {
      id: 'id',
      header: 'Key',
      track: '11rem',
      from: 760,
      cell: ({ id }) => <span className="font-mono text-sm">csk_{id}_…</span>,
    },
    { id: 'tenant', header: 'Tenant', track: '8rem', from: 620, cell: ({ tenant_id }) => tenant_id },
    {
      id: 'status',
      header: 'Status',
      track: '6rem',
      cell: ({ status }) => <StateWord word={STATES[status]} />,
    },
    {
      id: 'scopes',
      header: 'Scopes',
      track: 'minmax(6rem, 1fr)',
      from: 960,
      cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
    },
    {
      id: 'used',
      header: 'Last used',
      track: '6rem',
      from: 460,
      isNumber: true,
      cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Time at={last_used_at} />),
    },
    {
      id: 'expires',
      header: 'Expires',
      track: '6rem',
      from: 860,
      isNumber: true,
      cell: ({ expires_at }) => (expires_at === null ? 'never' : <Time at={expires_at} />),
    },
  ];
}
