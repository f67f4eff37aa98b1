import type { SeededRandom } from './seeded-random.js';

/** Processes of the service under test that are killed, stopped and started again. */
export const VICTIMS = ['worker-1', 'worker-2', 'webhooks', 'housekeeping', 'api-1', 'api-2'] as const;
export type Victim = (typeof VICTIMS)[number];

export type Backend = 'postgres' | 'redis';

/** What is done to the system. Durations are milliseconds. */
export type Fault =
  | { readonly kind: 'kill'; readonly victim: Victim; readonly downMs: number }
  | { readonly kind: 'freeze'; readonly victim: Victim; readonly frozenMs: number }
  /** Told to stop, as in a deployment. */
  | { readonly kind: 'restart'; readonly victim: Victim }
  /** Every process of the server ends at once, without a checkpoint; nothing committed may be lost by it. */
  | { readonly kind: 'postgres_crash'; readonly downMs: number }
  | { readonly kind: 'postgres_freeze'; readonly frozenMs: number }
  | { readonly kind: 'postgres_disconnect' }
  /** Starts again with nothing. */
  | { readonly kind: 'redis_crash'; readonly downMs: number }
  | { readonly kind: 'redis_freeze'; readonly frozenMs: number }
  | { readonly kind: 'redis_flush' };
export type FaultKind = Fault['kind'];

export interface PlannedFault {
  /** Milliseconds after the load began. */
  readonly atMs: number;
  readonly fault: Fault;
}

const FEWEST_MS_BETWEEN = 700;
const MOST_MS_BETWEEN = 1_400;

/** How often each kind is drawn, beside the others. */
const WEIGHTS: Readonly<Record<FaultKind, number>> = {
  kill: 20,
  freeze: 12,
  restart: 6,
  postgres_crash: 2,
  postgres_freeze: 2,
  postgres_disconnect: 3,
  redis_crash: 2,
  redis_freeze: 2,
  redis_flush: 2,
};

/** The faults of a run: one every 0.7 to 1.4 s for `durationMs`. The same draws give the same plan. */
export function planFaults(random: SeededRandom, durationMs: number, backend: Backend): PlannedFault[] {
  const kinds = (Object.keys(WEIGHTS) as FaultKind[]).filter(
    (kind) => backend === 'redis' || !kind.startsWith('redis'),
  );
  const plan: PlannedFault[] = [];
  let atMs = random.between(FEWEST_MS_BETWEEN, MOST_MS_BETWEEN);
  while (atMs < durationMs) {
    plan.push({ atMs: Math.round(atMs), fault: drawFault(random, drawKind(random, kinds)) });
    atMs += random.between(FEWEST_MS_BETWEEN, MOST_MS_BETWEEN);
  }
  return plan;
}

/** What the fault is done to; faults of one target do not overlap. */
export function targetOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
    case 'restart':
      return fault.victim;
    case 'postgres_crash':
    case 'postgres_freeze':
    case 'postgres_disconnect':
      return 'postgres';
    case 'redis_crash':
    case 'redis_freeze':
    case 'redis_flush':
      return 'redis';
  }
}

function drawKind(random: SeededRandom, kinds: readonly FaultKind[]): FaultKind {
  const total = kinds.reduce((sum, kind) => sum + WEIGHTS[kind], 0);
  let drawn = random.between(0, total);
  for (const kind of kinds) {
    drawn -= WEIGHTS[kind];
    if (drawn < 0) return kind;
  }
  return 'kill';
}

function drawFault(random: SeededRandom, kind: FaultKind): Fault {
  const ms = (low: number, high: number) => Math.round(random.between(low, high));
  switch (kind) {
    case 'kill':
      return { kind, victim: drawVictim(random), downMs: ms(0, 1_000) };
    case 'freeze':
      return { kind, victim: drawVictim(random), frozenMs: ms(1_000, 6_000) };
    case 'restart':
      return { kind, victim: drawVictim(random) };
    case 'postgres_crash':
      return { kind, downMs: ms(0, 1_500) };
    case 'postgres_freeze':
      return { kind, frozenMs: ms(1_000, 2_000) };
    case 'redis_crash':
      return { kind, downMs: ms(0, 1_500) };
    case 'redis_freeze':
      return { kind, frozenMs: ms(1_000, 2_000) };
    case 'postgres_disconnect':
    case 'redis_flush':
      return { kind };
  }
}

/** Workers are hit more often than the others: theirs is the work that could be done twice. */
function drawVictim(random: SeededRandom): Victim {
  return random.pick(['worker-1', 'worker-2', 'worker-1', 'worker-2', ...VICTIMS]);
}
