import { Link } from '@tanstack/react-router';
import type { ExecutionSummary } from '../api/types.js';
import { formatCost, formatTokens, UNKNOWN } from '../format/amounts.js';
import { shortId } from '../format/ids.js';
import type { Column } from '../ui/data-list.js';
import { Status } from '../ui/status.js';
import { Duration, Time } from '../ui/time.js';
import { noteOf } from './note-of.js';

/** Columns of the list of runs; narrow lists leave out what matters least. */
export function runColumns(agentName: (id: number) => string): Column<ExecutionSummary>[] {
  return [
    {
      id: 'id',
      header: 'Run',
      track: '5.5rem',
      cell: ({ id }) => (
        <Link to="/runs/$id" params={{ id }} title={id} className="font-mono text-sm hover:underline">
          {shortId(id)}
        </Link>
      ),
    },
    { id: 'status', header: 'Status', track: '8.5rem', cell: ({ status }) => <Status status={status} /> },
    {
      id: 'agent',
      header: 'Agent',
      track: 'minmax(8rem, 12rem)',
      from: 560,
      cell: (run) => (
        <>
          {agentName(run.agent_id)}
          {run.agent_version !== null && <span className="text-muted">@{run.agent_version}</span>}
        </>
      ),
    },
    {
      id: 'note',
      header: 'Input or reason',
      track: 'minmax(8rem, 1fr)',
      from: 860,
      cell: (run) => <span className="text-muted">{noteOf(run)}</span>,
    },
    {
      id: 'duration',
      header: 'Duration',
      track: '6rem',
      isNumber: true,
      from: 460,
      cell: (run) => <Duration of={run} />,
    },
    {
      id: 'tokens',
      header: 'Tokens',
      track: '5rem',
      isNumber: true,
      from: 1000,
      cell: ({ usage }) => <Amount text={formatTokens(usage?.total_tokens)} />,
    },
    {
      id: 'cost',
      header: 'Cost',
      track: '5rem',
      isNumber: true,
      from: 1000,
      cell: ({ usage }) => <Amount text={formatCost(usage?.total_cost_usd)} />,
    },
    {
      id: 'created',
      header: 'Created',
      track: '5.5rem',
      isNumber: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
  ];
}

function Amount({ text }: { readonly text: string }) {
  return <span className={text === UNKNOWN ? 'text-muted' : ''}>{text}</span>;
}
