import { CircleCheck, CircleX, HelpCircle, type LucideIcon } from 'lucide-react';
import { clsx } from 'clsx';
import type { ToolTrial } from '../api/types.js';
import { formatDuration } from '../format/durations.js';
import { JsonView } from '../ui/json-view.js';

interface Look {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly colour: string;
}

const LOOK: Readonly<Record<ToolTrial['outcome'], Look>> = {
  succeeded: { word: 'Succeeded', icon: CircleCheck, colour: 'text-done' },
  failed: { word: 'Failed', icon: CircleX, colour: 'text-failed' },
  refused: { word: 'Refused: it was not called', icon: CircleX, colour: 'text-failed' },
  outcome_unknown: {
    word: 'Outcome unknown: it may have taken effect',
    icon: HelpCircle,
    colour: 'text-action',
  },
};

/** Result of a trial, as a model would read it. */
export function TrialResult({ trial, name }: { readonly trial: ToolTrial; readonly name: string }) {
  const { word, icon: Icon, colour } = LOOK[trial.outcome];
  return (
    <div role="status" className="border-l-2 border-line pl-4">
      <p className="flex items-center gap-1.5">
        <Icon aria-hidden className={clsx('size-4', colour)} />
        <span className={colour}>{word}</span>
        <span className="text-muted">after {formatDuration(trial.duration_ms)}</span>
      </p>
      {trial.warnings.map((warning) => (
        <p key={warning} className="text-action wrap-anywhere">
          {warning}
        </p>
      ))}
      <JsonView label="Output" value={trial.output} fileName={`${name}-output.json`} />
    </div>
  );
}
