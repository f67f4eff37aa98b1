import { distributionOf, type Distribution } from '../../chaos/report/distribution.js';
import type { RolledExecution, RollingWorld } from '../rolling-world.js';

/** Fewer say nothing about a p95. */
const FEWEST = 40;
const SHOWN = 5;

/** What replacing workers one by one must not do. */
export interface RollingBreakage {
  readonly kind: 'failed' | 'lost' | 'doubled' | 'request' | 'exit' | 'vain' | 'slow';
  readonly text: string;
}

interface RollingTimes {
  readonly before: Distribution;
  readonly since: Distribution;
  /** p95 since the first restart over the p95 before it; null where one of them is missing. */
  readonly ratio: number | null;
}

/** How long the executions took that were accepted before the first restart, and those since. */
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

/** What became of what ran meanwhile, and of the workers. */
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

/** @param limit how many times the p95 from before is too much */
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
