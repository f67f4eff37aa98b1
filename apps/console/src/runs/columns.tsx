import { Link } from '@tanstack/react-router';
import type { ExecutionSummary } from '../api/types.js';
import { formatCost, formatTokens, UNKNOWN } from '../format/amounts.js';
import { shortId } from '../format/ids.js';
import { ClippedText } from '../ui/clipped-text.js';
import type { Column } from '../ui/data-list.js';
import { Status } from '../ui/status.js';
import { Duration, Time } from '../ui/time.js';
import { COLUMN_NAMES, type ColumnId } from './column-choice.js';
import { noteOf } from './note-of.js';

/** The chosen columns of the list of runs; narrow lists leave out what matters least. */
export function runColumns(
  agentName: (id: number) => string,
  chosen: readonly ColumnId[],
): Column<ExecutionSummary>[] {
  const all: Readonly<Record<ColumnId, Omit<Column<ExecutionSummary>, 'id' | 'header'>>> = {
    status: { track: '8.5rem', cell: ({ status }) => <Status status={status} /> },
    agent: {
      track: 'minmax(8rem, 12rem)',
      from: 560,
      cell: (run) => (
        <>
          <bdi>{agentName(run.agent_id)}</bdi>
          {run.agent_version !== null && <span className="text-muted">@{run.agent_version}</span>}
        </>
      ),
    },
    note: {
      track: 'minmax(8rem, 1fr)',
      from: 860,
      cell: (run) => (
        <span className="text-muted">
          <ClippedText text={noteOf(run)} />
        </span>
      ),
    },
    error: { track: 'minmax(6rem, 12rem)', from: 700, cell: ({ error }) => error?.code },
    model: { track: 'minmax(6rem, 10rem)', from: 700, cell: ({ model }) => model ?? <Unknown /> },
    executor: {
      track: 'minmax(6rem, 10rem)',
      from: 700,
      cell: ({ executor }) => executor?.user_id ?? <span className="text-muted">not named</span>,
    },
    session: {
      track: '5.5rem',
      from: 700,
      cell: ({ session_uuid, turn_number }) => (
        <Link
          to="/runs"
          search={{ session: session_uuid }}
          title={`${session_uuid}, turn ${turn_number}`}
          className="font-mono text-sm hover:underline"
        >
          {shortId(session_uuid)}
        </Link>
      ),
    },
    attempt: { track: '4rem', from: 700, isNumber: true, cell: ({ attempt }) => attempt },
    duration: { track: '6rem', isNumber: true, from: 460, cell: (run) => <Duration of={run} /> },
    tokens: {
      track: '5rem',
      isNumber: true,
      from: 1000,
      cell: ({ usage }) => <Amount text={formatTokens(usage?.total_tokens)} />,
    },
    cost: {
      track: '5rem',
      isNumber: true,
      from: 1000,
      cell: ({ usage }) => <Amount text={formatCost(usage?.total_cost_usd)} />,
    },
    created: { track: '5.5rem', isNumber: true, cell: ({ created_at }) => <Time at={created_at} /> },
  };
  return [RUN_COLUMN, ...chosen.map((id) => ({ id, header: COLUMN_NAMES[id], ...all[id] }))];
}

const RUN_COLUMN: Column<ExecutionSummary> = {
  id: 'id',
  header: 'Run',
  track: '5.5rem',
  cell: ({ id }) => (
    <Link to="/runs/$id" params={{ id }} title={id} className="font-mono text-sm hover:underline">
      {shortId(id)}
    </Link>
  ),
};

function Amount({ text }: { readonly text: string }) {
  return <span className={text === UNKNOWN ? 'text-muted' : ''}>{text}</span>;
}

const Unknown = () => <Amount text={UNKNOWN} />;
