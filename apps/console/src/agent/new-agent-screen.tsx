import { useEffect, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { faultsBeside, fieldFaultsOf } from '../api/form-faults.js';
import type { AgentVersion } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { FormProblem } from '../ui/form-problem.js';
import { useKeys } from '../ui/keys.js';
import { LeaveGuard } from '../ui/leave-guard.js';
import { ProblemNotice, Reading } from '../ui/notice.js';
import { newestVersionQuery } from './agent-queries.js';
import { draftOf, EMPTY_DRAFT, fieldsOf, isBroken, isDirty, type AgentDraft } from './draft/agent-draft.js';
import { AgentForm, FORM_PLACES } from './form/agent-form.js';
import { keptDrafts } from './kept-drafts.js';
import { showWarnings } from './show-warnings.js';

const route = getRouteApi('/agents/new');

export function NewAgentScreen() {
  const { from } = route.useSearch();
  const source = useQuery({ ...newestVersionQuery(from ?? 0), enabled: from !== undefined });
  if (from === undefined) return <NewAgent key="empty" source={null} />;
  if (source.data !== undefined) return <NewAgent key={from} source={source.data} />;
  if (source.isError) {
    return (
      <ProblemNotice
        error={source.error}
        title="The agent to copy could not be read"
        onRetry={() => void source.refetch()}
      />
    );
  }
  return <Reading />;
}

function NewAgent({ source }: { readonly source: AgentVersion | null }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const missingScope = useMissingScope('agents:write');
  const [draft, setDraft] = useState<AgentDraft>(() =>
    source === null
      ? (keptDrafts.get('new')?.draft ?? EMPTY_DRAFT)
      : { ...draftOf(source), name: `Copy of ${source.name}`.slice(0, 100) },
  );
  // One key for each content: a repeated try makes no second agent, and a mended one is another request.
  const [sent, setSent] = useState({ draft, header: newIdempotencyKey() });
  const dirty = isDirty(EMPTY_DRAFT, draft);
  useEffect(() => {
    if (dirty && source === null) keptDrafts.set('new', { base: null, draft });
    else keptDrafts.delete('new');
  }, [dirty, source, draft]);
  const creating = useMutation({
    mutationFn: ({ header }: { readonly header: ReturnType<typeof newIdempotencyKey> }) => {
      const body = fieldsOf(draft);
      if (body === null) throw new Error('A model configuration has to be chosen.');
      return answerOf(api.POST('/api/agents/', { params: { header }, body }));
    },
    onSuccess: async ({ id, name, warnings }) => {
      keptDrafts.delete('new');
      toast.success(`${name} is made`);
      showWarnings(warnings);
      void queries.invalidateQueries({ queryKey: ['agents'] });
      await navigate({ to: '/agents/$id', params: { id: String(id) }, replace: true, ignoreBlocker: true });
    },
  });
  const create = (): void => {
    const now = sent.draft === draft ? sent : { draft, header: newIdempotencyKey() };
    setSent(now);
    creating.mutate(now);
  };
  const missing = missingPart(draft);
  useKeys({
    'mod+s': () => {
      if (missing === null && missingScope === null && !creating.isPending) create();
    },
    Escape: () => void navigate({ to: '/agents' }),
  });
  const faults = fieldFaultsOf(creating.error);
  const rest = faultsBeside(faults, FORM_PLACES);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
        <h1 className="flex items-center gap-1.5 text-lg font-semibold">
          <Link to="/agents" className="text-muted hover:underline">
            Agents
          </Link>
          <span aria-hidden className="text-muted">
            /
          </span>
          New agent
        </h1>
        <div className="flex-1" />
        <Button
          look="primary"
          title="Create (Ctrl S)"
          unavailable={missingScope ?? missing}
          disabled={creating.isPending}
          onClick={create}
        >
          {creating.isPending ? 'Creating …' : 'Create'}
        </Button>
      </header>
      <FormProblem error={creating.error} marked={faults.length - rest.length} rest={rest} />
      <LeaveGuard
        isDirty={dirty && !creating.isSuccess}
        name="the new agent"
        onLeave={() => keptDrafts.delete('new')}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <AgentForm
          agentId={null}
          draft={draft}
          faults={faults}
          onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
        />
      </div>
    </div>
  );
}

function missingPart(draft: AgentDraft): string | null {
  if (draft.name.trim() === '') return 'It needs a name';
  if (draft.llm === null) return 'It needs a model configuration';
  return isBroken(draft) ? 'The JSON has to be right first' : null;
}
