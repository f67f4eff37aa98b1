import { Link } from '@tanstack/react-router';
import type { Memory } from '../api/types.js';
import { shortId } from '../format/ids.js';
import { ClippedText } from '../ui/clipped-text.js';
import type { Column } from '../ui/data-list.js';
import { Time } from '../ui/time.js';
import { MemoryOrigin } from './memory-origin.js';

interface Parts {
  readonly agentName: (id: number) => string;
  readonly onOpen: (id: number) => void;
  readonly onExecutor: (executor: string) => void;
}

/** Columns of the list of memories. */
export const memoryColumns = ({ agentName, onOpen, onExecutor }: Parts): readonly Column<Memory>[] => [
  {
    id: 'text',
    header: 'Memory',
    track: 'minmax(12rem, 1fr)',
    cell: ({ id, text }) => (
      <button
        type="button"
        title={text}
        className="max-w-full align-middle hover:underline"
        onClick={() => onOpen(id)}
      >
        <ClippedText text={text} />
      </button>
    ),
  },
  {
    id: 'executor',
    header: 'Executor',
    track: 'minmax(5rem, 9rem)',
    from: 460,
    cell: ({ executor_id: executor }) => (
      <button
        type="button"
        title={`Only memories of ${executor}`}
        className="max-w-full truncate align-middle hover:underline"
        onClick={() => onExecutor(executor)}
      >
        {executor}
      </button>
    ),
  },
  {
    id: 'origin',
    header: 'Origin',
    track: '9.5rem',
    from: 700,
    cell: (memory) => <MemoryOrigin memory={memory} />,
  },
  {
    id: 'agent',
    header: 'Agent',
    track: 'minmax(6rem, 9rem)',
    from: 1000,
    cell: ({ agent_id: agent }) => (agent === null ? '–' : agentName(agent)),
  },
  {
    id: 'run',
    header: 'Run',
    track: '5.5rem',
    from: 860,
    cell: ({ execution_id: run }) =>
      run === null ? (
        '–'
      ) : (
        <Link to="/runs/$id" params={{ id: run }} title={run} className="font-mono text-sm hover:underline">
          {shortId(run)}
        </Link>
      ),
  },
  {
    id: 'updated',
    header: 'Changed',
    track: '5.5rem',
    isNumber: true,
    cell: ({ updated_at: at }) => <Time at={at} />,
  },
];
