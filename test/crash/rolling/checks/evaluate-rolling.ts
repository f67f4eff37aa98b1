import { distributionOf, type Distribution } from '../../chaos/report/distribution.js';
import type { RolledExecution, RollingWorld } from '../rolling-world.js';

/** Below this number of executions a p95 is meaningless. */
const FEWEST = 40;
const SHOWN = 5;

/** A breach of a rolling restart's promises. */
export interface RollingBreakage {
  readonly kind: 'failed' | 'lost' | 'doubled' | 'request' | 'exit' | 'vain' | 'slow';
  readonly text: string;
}

interface RollingTimes {
  readonly before: Distribution;
  readonly since: Distribution;
  /** The p95 since the first restart divided by the p95 before it; null if either is missing. */
  readonly ratio: number | null;
}

/** The durations of executions accepted before the first restart, and of those accepted since. */
export function timesOf({ executions, replacements, warmAt }: RollingWorld): RollingTimes {
  const firstAt = replacements[0]?.at ?? Infinity;
  const warm = executions.filter(({ acceptedAt }) => acceptedAt >= warmAt);
  const spread = (those: readonly RolledExecution[]): Distribution =>
    distributionOf(those.flatMap(({ tookMs }) => tookMs ?? []));
  const before = spread(warm.filter(({ acceptedAt }) => acceptedAt < firstAt));
  const since = spread(warm.filter(({ acceptedAt }) => acceptedAt >= firstAt));
  const ratio = before.p95Ms === null || since.p95Ms === null ? null : since.p95Ms / before.p95Ms;
  return { before, since, ratio };
}

/** The breaches in executions, requests and worker exits. */
export function endingBreakages(world: RollingWorld): RollingBreakage[] {
  const { executions, failedRequests, replacements } = world;
  const failed = executions.filter(({ ending }) => ending !== 'completed');
  const lost = executions.filter(({ lostAttempts }) => lostAttempts > 0);
  const doubled = executions.filter(({ charges }) => charges > 1);
  const unclean = replacements.filter(({ exitCode }) => exitCode !== 0);
  const isVain = executions.every(({ attempt }) => attempt === 1);
  return [
    ...breakage('failed', failed.length, `did not complete: ${which(failed)}`),
    ...breakage('lost', lost.length, `were left by their worker without a release: ${which(lost)}`),
    ...breakage('doubled', doubled.length, `had an unsafe effect twice: ${which(doubled)}`),
    ...breakage('request', failedRequests.length, `requests failed: ${failedRequests[0]}`),
    ...breakage('exit', unclean.length, 'workers did not end by themselves'),
    ...breakage('vain', isVain ? 1 : 0, 'time too few: no execution went from one worker to another'),
  ];
}

/** @param limit the ratio to the p95 from before that counts as a breach */
export function timeBreakages(world: RollingWorld, limit: number): RollingBreakage[] {
  const { before, since, ratio } = timesOf(world);
  if (ratio === null || before.count < FEWEST || since.count < FEWEST)
    return [
      {
        kind: 'vain',
        text: `too few to compare: ${before.count} before the first restart, ${since.count} since`,
      },
    ];
  return ratio < limit
    ? []
    : [{ kind: 'slow', text: `the p95 rose to ${ratio.toFixed(2)} times, limit ${limit}` }];
}

function breakage(kind: RollingBreakage['kind'], count: number, what: string): RollingBreakage[] {
  return count === 0 ? [] : [{ kind, text: `${count} ${what}` }];
}

function which(executions: readonly RolledExecution[]): string {
  const shown = executions.slice(0, SHOWN);
  return shown.map(({ id, ending, attempt }) => `${id} (${ending}, attempt ${attempt})`).join(', ');
}
