import { useState, useSyncExternalStore } from 'react';
import type { RunEvent } from '../api/types.js';
import { DataList, type Column } from '../ui/data-list.js';
import { JsonView } from '../ui/json-view.js';
import { Empty, ProblemNotice } from '../ui/notice.js';
import { eventWords } from './event-words.js';
import type { RunEventsStore } from '../conversation/run-events-store.js';

/** Events of the run as clients get them. */
export function EventsTab({ store }: { readonly store: RunEventsStore }) {
  const { events, error } = useSyncExternalStore(store.subscribe, store.getState);
  const [openId, setOpenId] = useState<string | null>(null);
  const open = events.find(({ id }) => id === openId);
  if (error !== null && events.length === 0) return <ProblemNotice error={error} />;
  if (events.length === 0) return <Empty title="No events yet" />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DataList
        label="Events"
        rows={events}
        columns={columnsOf(setOpenId)}
        rowKey={({ id }) => id}
        selectedKey={openId}
        onOpen={({ id }) => setOpenId(id === openId ? null : id)}
      />
      {open !== undefined && (
        <div className="max-h-1/2 shrink-0 overflow-y-auto border-t border-line px-4 py-2">
          <JsonView
            key={open.id}
            label={`${open.event} ${open.id}`}
            value={open.data}
            fileName="event.json"
          />
        </div>
      )}
    </div>
  );
}

function columnsOf(onOpen: (id: string) => void): Column<RunEvent>[] {
  return [
    {
      id: 'id',
      header: 'Id',
      track: '3.5rem',
      cell: ({ id }) => (
        <button type="button" className="font-mono text-sm hover:underline" onClick={() => onOpen(id)}>
          {id}
        </button>
      ),
    },
    { id: 'event', header: 'Event', track: '10rem', cell: ({ event }) => event },
    {
      id: 'data',
      header: 'What it says',
      track: 'minmax(0, 1fr)',
      cell: (event) => <span className="text-muted">{eventWords(event)}</span>,
    },
  ];
}
