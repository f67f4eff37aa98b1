import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { answerOf, api } from '../../api/client.js';
import type { SkillSummary } from '../../api/types.js';
import { versionedAnswerOf } from '../../api/versioned.js';
import { useMissingScope } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/data-list.js';
import { Empty, ProblemNotice } from '../../ui/notice.js';
import { PagedList } from '../../ui/paged-list.js';
import { Time } from '../../ui/time.js';
import { ListHead } from '../parts/list-head.js';
import { StateWord } from '../parts/state-word.js';
import { useOpen } from '../parts/use-open.js';
import { usePages } from '../parts/use-pages.js';
import { SkillForm, SKILLS_KEY } from './skill-form.js';

/** Documents of instructions that agents of the tenant can read. */
export function SkillsTab() {
  const { open, show } = useOpen();
  if (open === 'new') return <SkillForm stored={null} />;
  if (open !== null) return <SkillEditor key={open} id={Number(open)} />;
  return <SkillList onOpen={show} />;
}

function SkillEditor({ id }: { readonly id: number }) {
  const skill = useQuery({
    queryKey: [...SKILLS_KEY, 'one', id],
    ...{ gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false },
    queryFn: ({ signal }) =>
      versionedAnswerOf(api.GET('/api/skills/{id}/', { params: { path: { id } }, signal })),
  });
  if (skill.data !== undefined) return <SkillForm stored={skill.data} />;
  if (!skill.isError) return null;
  return (
    <ProblemNotice
      error={skill.error}
      title="The skill could not be read"
      onRetry={() => void skill.refetch()}
    />
  );
}

function SkillList({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const missingScope = useMissingScope('agents:write');
  const list = usePages<SkillSummary>(SKILLS_KEY, (query, signal) =>
    answerOf(api.GET('/api/skills/', { params: { query }, signal })),
  );
  return (
    <>
      <ListHead>
        <p className="text-muted">
          Instructions that agents read while they work, when the description fits.
        </p>
        <Button look="primary" className="ml-auto" unavailable={missingScope} onClick={() => onOpen('new')}>
          <Plus aria-hidden className="size-4" /> New skill
        </Button>
      </ListHead>
      <PagedList
        label="Skills"
        query={list}
        columns={columnsOf(onOpen)}
        rowKey={({ id }) => String(id)}
        onOpen={({ id }) => onOpen(String(id))}
        empty={
          <Empty title="No skills yet">
            <p className="text-muted">
              A skill is a named document: models see its description, and read the rest when they need it.
            </p>
          </Empty>
        }
      />
    </>
  );
}

function columnsOf(onOpen: (id: string) => void): Column<SkillSummary>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      track: 'minmax(8rem, 16rem)',
      cell: ({ id, name }) => (
        <button
          type="button"
          title={name}
          className="max-w-full truncate font-mono text-sm hover:underline"
          onClick={() => onOpen(String(id))}
        >
          {name}
        </button>
      ),
    },
    {
      id: 'description',
      header: 'When to use it',
      track: 'minmax(8rem, 1fr)',
      from: 560,
      cell: ({ description }) => (
        <span className="text-muted" title={description}>
          {description}
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      track: '6.5rem',
      cell: ({ is_active }) => <StateWord word={is_active ? 'Active' : 'Inactive'} />,
    },
    {
      id: 'updated',
      header: 'Changed',
      track: '6rem',
      from: 700,
      isNumber: true,
      cell: ({ updated_at }) => <Time at={updated_at} />,
    },
  ];
}
