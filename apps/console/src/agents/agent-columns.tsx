import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { newestVersionQuery } from '../agent/agent-queries.js';
import type { Agent, Llm } from '../api/types.js';
import { ClippedText } from '../ui/clipped-text.js';
import type { Column } from '../ui/data-list.js';
import { ActiveState } from '../ui/active-state.js';
import { Time } from '../ui/time.js';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  BASIC_CHAT: 'Chat',
  RAG_CHAT: 'Documents',
  CUSTOM: 'Pipeline',
};

/** Columns of the list of agents; narrow lists leave out what matters least. */
export function agentColumns(llms: readonly Llm[]): Column<Agent>[] {
  return [
    {
      id: 'name',
      header: 'Agent',
      track: 'minmax(9rem, 1fr)',
      cell: ({ id, name }) => (
        <Link
          to="/agents/$id"
          params={{ id: String(id) }}
          title={name}
          className="font-medium hover:underline"
        >
          <ClippedText text={name} />
        </Link>
      ),
    },
    { id: 'id', header: 'Id', track: '4rem', isNumber: true, from: 560, cell: ({ id }) => id },
    {
      id: 'type',
      header: 'Type',
      track: '6rem',
      from: 700,
      cell: ({ usecase_type: type }) => TYPE_WORDS[type] ?? type,
    },
    {
      id: 'strategy',
      header: 'Strategy',
      track: 'minmax(7rem, 12rem)',
      from: 860,
      cell: ({ config }) =>
        typeof config['strategy'] === 'string' ? (
          config['strategy']
        ) : (
          <span className="text-muted">none</span>
        ),
    },
    {
      id: 'model',
      header: 'Model',
      track: 'minmax(7rem, 14rem)',
      from: 520,
      cell: ({ llm }) => <Model id={llm} llms={llms} />,
    },
    {
      id: 'state',
      header: 'State',
      track: '6rem',
      cell: ({ is_active }) => <ActiveState isActive={is_active} />,
    },
    {
      id: 'version',
      header: 'Version',
      track: '4rem',
      isNumber: true,
      from: 700,
      cell: ({ id }) => <Version id={id} />,
    },
    {
      id: 'changed',
      header: 'Changed',
      track: '6rem',
      isNumber: true,
      from: 420,
      cell: ({ id }) => <Changed id={id} />,
    },
  ];
}

function Model({ id, llms }: { readonly id: number; readonly llms: readonly Llm[] }) {
  const llm = llms.find((each) => each.id === id);
  if (llm === undefined) return <span className="text-muted">configuration {id}</span>;
  return <span title={`${llm.name} (${llm.provider})`}>{llm.model}</span>;
}

/** The list of the API has neither the version nor its time: each row in view asks for them, once a minute at most. */
function useNewest(id: number) {
  return useQuery({ ...newestVersionQuery(id), staleTime: 60_000 });
}

function Version({ id }: { readonly id: number }) {
  const { data } = useNewest(id);
  return <>{data?.version}</>;
}

function Changed({ id }: { readonly id: number }) {
  const { data } = useNewest(id);
  return data === undefined ? null : <Time at={data.created_at} />;
}
