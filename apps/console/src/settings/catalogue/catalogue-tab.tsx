import { useQuery } from '@tanstack/react-query';
import type { ModelList } from '../../api/types.js';
import { DataList, type Column } from '../../ui/data-list.js';
import { ProblemNotice } from '../../ui/notice.js';
import { modelListQuery } from '../models/model-queries.js';

type Model = ModelList['data'][number];

const price = (amount: string | undefined): string => (amount === undefined ? 'unknown' : `$${amount}`);

const COLUMNS: readonly Column<Model>[] = [
  {
    id: 'model',
    header: 'Model',
    track: 'minmax(10rem, 1fr)',
    cell: ({ id, label }) => (
      <span title={label}>
        {label} <span className="font-mono text-sm text-muted">{label === id ? '' : id}</span>
      </span>
    ),
  },
  { id: 'provider', header: 'Provider', track: '8rem', from: 760, cell: ({ provider }) => provider },
  {
    id: 'context',
    header: 'Context (tokens)',
    track: '7.5rem',
    from: 560,
    isNumber: true,
    cell: ({ context_size }) => context_size.toLocaleString('en-US'),
  },
  {
    id: 'media',
    header: 'Reads',
    track: '8rem',
    from: 860,
    cell: ({ native_media }) => ['text', ...native_media].join(', '),
  },
  {
    id: 'input',
    header: 'Input',
    track: '5rem',
    isNumber: true,
    cell: ({ pricing }) => price(pricing?.input),
  },
  {
    id: 'cached',
    header: 'Cached',
    track: '5rem',
    isNumber: true,
    from: 640,
    cell: ({ pricing }) => price(pricing?.cached_input),
  },
  {
    id: 'output',
    header: 'Output',
    track: '5rem',
    isNumber: true,
    cell: ({ pricing }) => price(pricing?.output),
  },
  {
    id: 'asOf',
    header: 'Prices of',
    track: '7rem',
    from: 960,
    cell: ({ pricing }) => <span title={pricing?.note}>{pricing?.as_of ?? 'unknown'}</span>,
  },
];

/** Models that need no set-up, with what they can do and cost. */
export function CatalogueTab() {
  const list = useQuery(modelListQuery);
  if (list.isError && list.data === undefined) {
    return (
      <ProblemNotice
        error={list.error}
        title="The catalogue could not be read"
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (list.data === undefined) return null;
  return (
    <>
      <p className="shrink-0 border-b border-line px-4 py-2 text-muted">
        Prices in US dollars per million tokens. Any other model can be used by its id, too.
      </p>
      <DataList
        label="Model catalogue"
        rows={list.data.data}
        columns={COLUMNS}
        rowKey={({ id, provider }) => `${provider} ${id}`}
        onOpen={() => undefined}
      />
    </>
  );
}
