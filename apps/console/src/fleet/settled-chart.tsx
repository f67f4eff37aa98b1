import type { Overview } from '../api/types.js';
import { formatTokens } from '../format/amounts.js';
import { Chart } from '../ui/chart.js';
import { STATUS_LOOK } from '../ui/status.js';
import { OUTCOMES, outcomeSeries } from './outcome-series.js';

const COLOURS = {
  completed: 'var(--color-done)',
  incomplete: 'var(--color-partial)',
  failed: 'var(--color-failed)',
  cancelled: 'var(--color-edge)',
} as const;
const STEP_WORDS = { '1h': '5 minutes', '24h': 'hour', '7d': '6 hours' } as const;

/** Runs of the tenant that ended in each part of the window, by outcome. */
export function SettledChart({ overview }: { readonly overview: Overview }) {
  const { times, step, values } = outcomeSeries(overview);
  return (
    <div className="px-4 pb-3">
      <Chart
        label={`Settled runs per ${STEP_WORDS[overview.window]}`}
        times={times}
        step={step}
        series={OUTCOMES.map((outcome, index) => ({
          name: STATUS_LOOK[outcome].word,
          colour: COLOURS[outcome],
          values: values[index] ?? [],
        }))}
        format={formatTokens}
      />
    </div>
  );
}
