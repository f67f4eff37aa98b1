import type { ReactNode } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Button } from '../../ui/button.js';
import { Select } from '../../ui/field.js';
import { IdFilter } from '../../ui/id-filter.js';
import { SinceSelect } from '../../ui/since-select.js';
import { DELIVERY_LOOK } from '../delivery-status.js';
import { endpointsQuery } from '../webhook-queries.js';
import {
  DELIVERY_STATUSES,
  DELIVERY_TYPES,
  eventWord,
  type DeliveryFilter,
  type Since,
} from '../webhooks-search.js';

const SINCE_WORDS: Readonly<Record<Since, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
};

interface PartProps {
  readonly filter: DeliveryFilter;
  readonly onChange: (next: DeliveryFilter) => void;
}

interface DeliveryFilterBarProps extends PartProps {
  readonly hasEndpoint: boolean;
  readonly children: ReactNode;
}

/** Filters of the deliveries, which are in the address of the page. */
export function DeliveryFilterBar({ filter, hasEndpoint, onChange, children }: DeliveryFilterBarProps) {
  const { event: _event, ...withoutEvent } = filter;
  const { since: _since, ...withoutSince } = filter;
  const { run: _run, ...withoutRun } = filter;
  return (
    <div
      role="search"
      aria-label="Filters"
      className="flex shrink-0 flex-wrap items-center gap-1.5 border-b border-line px-4 py-2"
    >
      <StatusFilter filter={filter} onChange={onChange} />
      <Select
        aria-label="Event"
        value={filter.event ?? ''}
        className="w-36"
        onChange={({ target }) => {
          const event = DELIVERY_TYPES.find((type) => type === target.value);
          onChange(event === undefined ? withoutEvent : { ...withoutEvent, event });
        }}
      >
        <option value="">Every event</option>
        {DELIVERY_TYPES.map((type) => (
          <option key={type} value={type}>
            {eventWord(type)}
          </option>
        ))}
      </Select>
      {hasEndpoint && <EndpointFilter filter={filter} onChange={onChange} />}
      <SinceSelect
        since={filter.since}
        words={SINCE_WORDS}
        onChange={(chosen) => onChange({ ...withoutSince, ...chosen })}
      />
      <IdFilter
        label="Run"
        id={filter.run}
        onChange={(run) => onChange({ ...withoutRun, ...(run === undefined ? {} : { run }) })}
      />
      {Object.keys(filter).length > 0 && (
        <Button look="quiet" onClick={() => onChange({})}>
          Clear
        </Button>
      )}
      <div className="flex-1" />
      {children}
    </div>
  );
}

function StatusFilter({ filter, onChange }: PartProps) {
  const { status: chosen, ...rest } = filter;
  return (
    <div role="group" aria-label="Status" className="flex flex-wrap gap-1">
      {DELIVERY_STATUSES.map((status) => {
        const { word, icon: Icon, colour } = DELIVERY_LOOK[status];
        const isOn = chosen === status;
        return (
          <button
            key={status}
            type="button"
            aria-pressed={isOn}
            onClick={() => onChange(isOn ? rest : { ...rest, status })}
            className={clsx(
              'inline-flex h-8 items-center gap-1.5 rounded-md border px-2',
              isOn ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
            )}
          >
            <Icon aria-hidden className={clsx('size-3.5', colour)} /> {word}
          </button>
        );
      })}
    </div>
  );
}

function EndpointFilter({ filter, onChange }: PartProps) {
  const { endpoint, ...rest } = filter;
  const endpoints = useInfiniteQuery(endpointsQuery);
  const rows = endpoints.data?.pages.flatMap(({ data }) => data) ?? [];
  const isKnown = endpoint === undefined || rows.some(({ id }) => id === endpoint);
  return (
    <Select
      aria-label="Endpoint"
      value={endpoint ?? ''}
      className="w-40"
      onChange={({ target }) =>
        onChange(target.value === '' ? rest : { ...rest, endpoint: Number(target.value) })
      }
    >
      <option value="">Every receiver</option>
      {!isKnown && <option value={endpoint}>Endpoint {endpoint}</option>}
      {rows.map(({ id, url }) => (
        <option key={id} value={id}>
          {id}: {url}
        </option>
      ))}
    </Select>
  );
}
