import { lazy, Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { faultsBeside } from '../api/form-faults.js';
import type { AgentVersion } from '../api/types.js';
import { FormProblem } from '../ui/form-problem.js';
import { useKeys } from '../ui/keys.js';
import { LeaveGuard } from '../ui/leave-guard.js';
import { ProblemNotice, Reading } from '../ui/notice.js';
import { Tabs } from '../ui/tabs.js';
import { AgentHeader } from './agent-header.js';
import { newestVersionQuery } from './agent-queries.js';
import type { AgentSearch, Tab } from './agent-search.js';
import { ConflictNotice } from './conflict-notice.js';
import { AgentForm, FORM_PLACES } from './form/agent-form.js';
import { keptDrafts } from './kept-drafts.js';
import { PromptTab } from './prompt/prompt-tab.js';
import { useAgentEditor } from './use-agent-editor.js';
import { UsedTab } from './used-tab.js';
import { VersionsTab } from './versions/versions-tab.js';

const PipelineTab = lazy(() =>
  import('./pipeline/pipeline-tab.js').then(({ PipelineTab: component }) => ({ default: component })),
);

const route = getRouteApi('/agents/$id');

const TABS: readonly { readonly name: Tab; readonly label: string }[] = [
  { name: 'edit', label: 'Edit' },
  { name: 'pipeline', label: 'Pipeline' },
  { name: 'prompt', label: 'Prompt' },
  { name: 'versions', label: 'Versions' },
  { name: 'used', label: 'Where used' },
];

export function AgentScreen() {
  const { id } = route.useParams();
  const newest = useQuery(newestVersionQuery(Number(id)));
  if (newest.data !== undefined) return <Agent key={id} newest={newest.data} />;
  if (newest.isError) {
    return (
      <ProblemNotice
        error={newest.error}
        title="The agent could not be read"
        onRetry={() => void newest.refetch()}
      />
    );
  }
  return <Reading />;
}

function Agent({ newest }: { readonly newest: AgentVersion }) {
  const { id } = newest;
  const search = route.useSearch();
  const navigate = useNavigate();
  const editor = useAgentEditor(newest);
  const { draft, isDirty, faults, conflict } = editor;
  // Only agents of this type have steps.
  const tabs = TABS.filter(({ name }) => name !== 'pipeline' || draft.usecase_type === 'CUSTOM');
  const tab = tabs.find(({ name }) => name === search.tab)?.name ?? 'edit';
  const show = (next: AgentSearch): void =>
    void navigate({ to: '/agents/$id', params: { id: String(id) }, search: next, replace: true });
  useKeys({
    'mod+s': () => {
      if (isDirty && !editor.isSaving) editor.save();
    },
    Escape: () =>
      tab !== 'pipeline' || search.step === undefined ? void navigate({ to: '/agents' }) : show({ tab }),
  });
  const rest = faultsBeside(faults, FORM_PLACES);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AgentHeader newest={newest} editor={editor} />
      {conflict !== null && <ConflictNotice editor={editor} theirs={conflict} />}
      <FormProblem error={editor.error} marked={faults.length - rest.length} rest={rest} />
      <LeaveGuard isDirty={isDirty} name={`agent ${newest.name}`} onLeave={() => keptDrafts.delete(id)} />
      <Tabs label="Views of the agent" tabs={tabs} current={tab} onChange={(next) => show({ tab: next })}>
        {tab === 'edit' && (
          <div className="min-h-0 flex-1 overflow-y-auto">
            <AgentForm agentId={id} draft={draft} faults={faults} onChange={editor.change} />
          </div>
        )}
        {tab === 'pipeline' && (
          <Suspense fallback={null}>
            <PipelineTab
              draft={draft}
              openName={search.step ?? null}
              onOpen={(step) => show({ tab, ...(step === null ? {} : { step }) })}
            />
          </Suspense>
        )}
        {tab === 'prompt' && <PromptTab draft={draft} />}
        {tab === 'versions' && (
          <VersionsTab newest={newest} isDirty={isDirty} search={search} onShow={show} />
        )}
        {tab === 'used' && <UsedTab id={id} />}
      </Tabs>
    </div>
  );
}
