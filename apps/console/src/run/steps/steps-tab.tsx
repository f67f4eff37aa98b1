import { clsx } from 'clsx';
import type { Execution, RunStep } from '../../api/types.js';
import { briefJson } from '../../format/brief-json.js';
import { clockTime } from '../../format/times.js';
import { DataList, type Column } from '../../ui/data-list.js';
import { Empty, ProblemNotice, Reading } from '../../ui/notice.js';
import { Duration } from '../../ui/time.js';
import { isSettled } from '../../api/runs.js';
import { stepKey } from './step-key.js';
import { STEP_LOOK } from './step-look.js';
import { useSteps } from './use-steps.js';

interface StepsTabProps {
  readonly run: Execution;
  readonly openStep: string | null;
  readonly onOpenStep: (key: string) => void;
}

/** The audit of the tool calls of a run. */
export function StepsTab({ run, openStep, onOpenStep }: StepsTabProps) {
  const query = useSteps(run.id, isSettled(run));
  const { steps } = query;
  if (query.isError && steps.length === 0) {
    return <ProblemNotice error={query.error} onRetry={query.retry} title="The steps could not be read" />;
  }
  if (steps.length === 0) return query.isPending ? <Reading /> : <Empty title="No tool was called" />;
  return (
    <DataList
      label="Steps"
      rows={steps}
      columns={columnsOf(onOpenStep)}
      rowKey={stepKey}
      selectedKey={openStep}
      onOpen={(step) => onOpenStep(stepKey(step))}
      onNearEnd={query.readMore}
    />
  );
}

function columnsOf(onOpen: (key: string) => void): Column<RunStep>[] {
  return [
    {
      id: 'call',
      header: 'Call',
      track: '4.5rem',
      cell: (step) => (
        <button
          type="button"
          className="font-mono text-sm hover:underline"
          onClick={() => onOpen(stepKey(step))}
        >
          {stepKey(step)}
        </button>
      ),
    },
    { id: 'tool', header: 'Tool', track: 'minmax(6rem, 14rem)', cell: ({ tool_name }) => tool_name },
    { id: 'status', header: 'Status', track: '9rem', cell: (step) => <StepStatus status={step.status} /> },
    {
      id: 'note',
      header: 'Error or input',
      track: 'minmax(6rem, 1fr)',
      from: 800,
      cell: ({ error, input }) => <span className="text-sm text-muted">{error ?? briefJson(input)}</span>,
    },
    {
      id: 'attempt',
      header: 'Attempt',
      track: '4rem',
      isNumber: true,
      from: 700,
      cell: ({ attempt }) => attempt,
    },
    {
      id: 'started',
      header: 'Started',
      track: '6.5rem',
      isNumber: true,
      from: 560,
      cell: ({ started_at }) => clockTime(started_at),
    },
    {
      id: 'duration',
      header: 'Duration',
      track: '4.5rem',
      isNumber: true,
      from: 460,
      cell: (step) => <Duration of={step} />,
    },
  ];
}

export function StepStatus({ status }: { readonly status: RunStep['status'] }) {
  const { word, icon: Icon, colour } = STEP_LOOK[status];
  return (
    <span className={clsx('inline-flex items-center gap-1.5 align-middle whitespace-nowrap', colour)}>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {word}
    </span>
  );
}
