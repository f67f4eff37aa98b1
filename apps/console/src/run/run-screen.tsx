import { useCallback } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ExecutionWithRequest } from '../api/types.js';
import { WaitingCallPanel } from '../decisions/waiting-call.js';
import { useKeys } from '../ui/keys.js';
import { ProblemNotice, Reading } from '../ui/notice.js';
import { Tabs } from '../ui/tabs.js';
import { WithInspector } from '../ui/with-inspector.js';
import { ConversationTab } from './conversation/conversation-tab.js';
import { EventsTab } from './events-tab.js';
import { RawTab } from './raw-tab.js';
import { RunHeader } from './run-header.js';
import { isSettled, runQuery } from '../api/runs.js';
import type { RunSearch, Tab } from './run-search.js';
import { StepInspector } from './steps/step-inspector.js';
import { StepsTab } from './steps/steps-tab.js';
import { useStep } from './steps/use-steps.js';
import { TimelineTab } from './timeline/timeline-tab.js';
import { useTimeline, type Timeline } from './timeline/use-timeline.js';
import { useRunEventsStore } from '../conversation/use-run-events.js';
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
  return <RunById key={id} id={id} />;
}

function RunById({ id }: { readonly id: string }) {
  const run = useQuery(runQuery(id));
  // It is read beside the run, not after it.
  const timeline = useTimeline(id, run.data !== undefined && isSettled(run.data));
  if (run.data !== undefined) return <Run run={run.data} timeline={timeline} />;
  if (run.isError) {
    return (
      <ProblemNotice error={run.error} title="The run could not be read" onRetry={() => void run.refetch()} />
    );
  }
  return <Reading />;
}

function Run({ run, timeline }: { readonly run: ExecutionWithRequest; readonly timeline: Timeline }) {
  const { tab = 'timeline', step: openStep = null, delivery: openDelivery = null } = route.useSearch();
  const navigate = useNavigate();
  const isOver = isSettled(run);
  const events = useRunEventsStore(run.id, !isOver || tab === 'conversation' || tab === 'events');
  const opened = useStep({ id: run.id, key: openStep, isOver });
  const show = useCallback(
    (search: RunSearch): void =>
      void navigate({ to: '/runs/$id', params: { id: run.id }, search, replace: true }),
    [navigate, run.id],
  );
  const openStepOf = useCallback((key: string): void => show({ tab, step: key }), [show, tab]);
  const close = (): void => show({ tab });
  const isOpen = openStep !== null || openDelivery !== null;
  useKeys({ Escape: () => (isOpen ? close() : void navigate({ to: '/runs' })) });
  return (
    <>
      <RunHeader run={run} store={events} timeline={timeline} />
      {run.required_action !== null && (
        <div className="shrink-0 border-b border-line px-4 py-3 md:max-h-1/2 md:overflow-y-auto">
          {run.required_action.calls.map((call) => (
            <WaitingCallPanel
              key={`${call.call} ${run.required_action?.expires_at}`}
              executionId={run.id}
              call={call}
            />
          ))}
        </div>
      )}
      <Tabs label="Views of the run" tabs={TABS} current={tab} onChange={(next) => show({ tab: next })}>
        <WithInspector
          inspector={opened !== null && <StepInspector key={openStep} step={opened} onClose={close} />}
        >
          {tab === 'timeline' && (
            <TimelineTab run={run} timeline={timeline} openStep={openStep} onOpenStep={openStepOf} />
          )}
          {tab === 'conversation' && <ConversationTab run={run} store={events} />}
          {tab === 'steps' && <StepsTab run={run} openStep={openStep} onOpenStep={openStepOf} />}
          {tab === 'events' && <EventsTab store={events} />}
          {tab === 'webhooks' && (
            <WebhooksTab
              runId={run.id}
              openId={openDelivery}
              onOpen={(delivery) => show({ tab, ...(delivery === null ? {} : { delivery }) })}
            />
          )}
          {tab === 'raw' && <RawTab run={run} />}
        </WithInspector>
      </Tabs>
    </>
  );
}
