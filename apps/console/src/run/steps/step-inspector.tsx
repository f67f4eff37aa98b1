import type { RunStep } from '../../api/types.js';
import { absoluteTime } from '../../format/times.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Inspector } from '../../ui/inspector.js';
import { JsonView } from '../../ui/json-view.js';
import { Duration } from '../../ui/time.js';
import { StepStatus } from './steps-tab.js';

/** Everything that the audit holds on one tool call. */
export function StepInspector({ step, onClose }: { readonly step: RunStep; readonly onClose: () => void }) {
  return (
    <Inspector
      label={`Step ${step.tool_name}`}
      title={
        <span className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate">{step.tool_name}</span>
          <StepStatus status={step.status} />
        </span>
      }
      onClose={onClose}
    >
      <Facts step={step} />
      {step.error !== null && <p className="text-failed wrap-anywhere">{step.error.slice(0, 4000)}</p>}
      <JsonView label="Input" value={step.input} fileName={`${step.tool_name}-input.json`} />
      {step.sent_input !== null && (
        <JsonView
          label="Input as it was sent"
          value={step.sent_input}
          fileName={`${step.tool_name}-sent.json`}
        />
      )}
      <JsonView label="Output" value={step.output} fileName={`${step.tool_name}-output.json`} />
      <Decisions step={step} />
      {step.late_evidence.map(({ epoch, status, output, observed_at }) => (
        <div key={`${epoch} ${observed_at}`}>
          <p>
            Evidence of {absoluteTime(observed_at)}: {status}
          </p>
          <JsonView label="Output" value={output} fileName={`${step.tool_name}-evidence.json`} />
        </div>
      ))}
    </Inspector>
  );
}

function Facts({ step }: { readonly step: RunStep }) {
  return (
    <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-y-1 [&_dt]:text-muted">
      <dt>Started</dt>
      <dd>{absoluteTime(step.started_at)}</dd>
      <dt>Duration</dt>
      <dd>
        <Duration of={step} />
      </dd>
      <dt>Attempt</dt>
      <dd>{step.attempt}</dd>
      <dt>Place</dt>
      <dd>
        {step.scope !== '' && `scope ${step.scope}, `}round {step.round}, position {step.position}
      </dd>
      <dt>Call id</dt>
      <dd className="flex items-center gap-1">
        <span className="truncate font-mono text-sm">{step.call_id}</span>
        <CopyButton text={step.call_id} label="Copy call id" />
      </dd>
    </dl>
  );
}

function Decisions({ step }: { readonly step: RunStep }) {
  if (step.decisions.length === 0) return null;
  return (
    <section aria-label="Decisions">
      <h3 className="text-sm text-muted">Decisions</h3>
      <ul>
        {step.decisions.map(({ asked, approved, outcome, reason, decided_by, decided_at }, index) => (
          <li key={index} className="wrap-anywhere">
            {asked === 'approval'
              ? approved === true
                ? 'Approved'
                : 'Refused'
              : (outcome?.replaceAll('_', ' ') ?? 'unknown')}
            {decided_by !== null &&
              ` by ${decided_by.person ?? decided_by.key_id ?? 'a person without a key'}`}
            {decided_at !== null && `, ${absoluteTime(decided_at)}`}
            {reason !== '' && `: ${reason}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
