import { Link } from '@tanstack/react-router';
import type { Session } from '../api/types.js';
import { shortId } from '../format/ids.js';
import type { Column } from '../ui/data-list.js';
import { Time } from '../ui/time.js';
import { SessionTitle } from './session-title.js';

/** Columns of the list of sessions; narrow lists leave out what matters least. */
export function sessionColumns(agentName: (id: number) => string): Column<Session>[] {
  return [
    {
      id: 'title',
      header: 'Title',
      track: 'minmax(8rem, 1fr)',
      cell: (session) => (
        <Link to="/sessions/$uuid" params={{ uuid: session.uuid }} className="hover:underline">
          <SessionTitle session={session} />
        </Link>
      ),
    },
    {
      id: 'agent',
      header: 'Agent',
      track: 'minmax(6rem, 12rem)',
      from: 560,
      cell: ({ agent_id }) =>
        agent_id === null ? <span className="text-muted">none</span> : agentName(agent_id),
    },
    {
      id: 'id',
      header: 'Session',
      track: '5.5rem',
      from: 860,
      cell: ({ uuid }) => (
        <span title={uuid} className="font-mono text-sm text-muted">
          {shortId(uuid)}
        </span>
      ),
    },
    {
      id: 'turns',
      header: 'Turns',
      track: '3.5rem',
      isNumber: true,
      cell: ({ turn_count }) => turn_count,
    },
    {
      id: 'updated',
      header: 'Last turn',
      track: '6rem',
      isNumber: true,
      cell: ({ updated_at }) => <Time at={updated_at} />,
    },
    {
      id: 'created',
      header: 'Created',
      track: '6rem',
      isNumber: true,
      from: 700,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
  ];
}
