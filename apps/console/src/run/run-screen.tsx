import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Execution } from '../api/types.js';
import { WaitingCallPanel } from '../decisions/waiting-call.js';
import { useKeys } from '../ui/keys.js';
import { ProblemNotice } from '../ui/notice.js';
import { Tabs } from '../ui/tabs.js';
import { ConversationTab } from './conversation/conversation-tab.js';
import { EventsTab } from './events-tab.js';
import { RawTab } from './raw-tab.js';
import { RunHeader } from './run-header.js';
import { isSettled, runQuery } from '../api/runs.js';
import type { RunSearch, Tab } from './run-search.js';
import { stepKey } from './steps/step-key.js';
import { StepInspector } from './steps/step-inspector.js';
import { StepsTab } from './steps/steps-tab.js';
import { TimelineTab } from './timeline/timeline-tab.js';
import { useRunEvents } from '../conversation/use-run-events.js';
import { useSteps } from './use-steps.js';
import { WebhooksTab } from './webhooks-tab.js';

const route = getRouteApi('/runs/$id');

const TABS: readonly { readonly name: Tab; readonly label: string }[] = [
  { name: 'timeline', label: 'Timeline' },
  { name: 'conversation', label: 'Conversation' },
  { name: 'steps', label: 'Steps' },
  { name: 'events', label: 'Events' },
  { name: 'webhooks', label: 'Webhooks' },
  { name: 'raw', label: 'Raw' },
];

export function RunScreen() {
  const { id } = route.useParams();
  const run = useQuery(runQuery(id));
  if (run.data !== undefined) return <Run key={id} run={run.data} />;
  if (run.isError) {
    return (
      <ProblemNotice error={run.error} title="The run could not be read" onRetry={() => void run.refetch()} />
    );
  }
  return null;
}

function Run({ run }: { readonly run: Execution }) {
  const { tab = 'timeline', step: openStep = null } = route.useSearch();
  const navigate = useNavigate();
  const events = useRunEvents(run.id);
  const steps = useSteps(run.id, isSettled(run));
  const show = (search: RunSearch): void =>
    void navigate({ to: '/runs/$id', params: { id: run.id }, search, replace: true });
  const opened = steps.steps.find((step) => stepKey(step) === openStep);
  const openStepOf = (key: string): void => show({ tab, step: key });
  const closeStep = (): void => show({ tab });
  useKeys({ Escape: () => (opened === undefined ? void navigate({ to: '/runs' }) : closeStep()) });
  return (
    // A narrow page scrolls as one; a wide one holds its header, and what is below it scrolls.
    <div className="flex min-h-0 flex-1 flex-col max-md:overflow-y-auto">
      <RunHeader run={run} connection={events.connection} />
      {run.required_action !== null && (
        <div className="shrink-0 border-b border-line px-4 py-3 md:max-h-1/2 md:overflow-y-auto">
          {run.required_action.calls.map((call) => (
            <WaitingCallPanel key={`${call.scope ?? ''} ${call.call}`} executionId={run.id} call={call} />
          ))}
        </div>
      )}
      <Tabs label="Views of the run" tabs={TABS} current={tab} onChange={(next) => show({ tab: next })}>
        <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
          <div className="flex min-h-0 min-w-0 flex-1 flex-col max-md:min-h-[60dvh]">
            {tab === 'timeline' && <TimelineTab run={run} openStep={openStep} onOpenStep={openStepOf} />}
            {tab === 'conversation' && <ConversationTab run={run} events={events} />}
            {tab === 'steps' && <StepsTab query={steps} openStep={openStep} onOpenStep={openStepOf} />}
            {tab === 'events' && <EventsTab events={events} />}
            {tab === 'webhooks' && <WebhooksTab runId={run.id} />}
            {tab === 'raw' && <RawTab run={run} />}
          </div>
          {opened !== undefined && (tab === 'timeline' || tab === 'steps') && (
            <StepInspector step={opened} onClose={closeStep} />
          )}
        </div>
      </Tabs>
    </div>
  );
}
