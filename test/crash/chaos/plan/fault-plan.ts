import { Absences } from './absences.js';
import { VICTIMS, type Backend, type Fault, type FaultKind, type Victim } from './fault.js';
import type { SeededRandom } from './seeded-random.js';
import type { Times } from './times.js';

export interface PlannedFault {
  /** Milliseconds after the load began. */
  readonly atMs: number;
  readonly fault: Fault;
}

/** The relative frequency of each kind: faults that stall all processes are rare. */
const WEIGHTS: Readonly<Record<FaultKind, number>> = {
  kill: 60,
  freeze: 36,
  restart: 18,
  clock_step: 9,
  postgres_crash: 2,
  postgres_freeze: 2,
  postgres_disconnect: 3,
  postgres_silent: 2,
  postgres_slow: 2,
  postgres_read_only: 2,
  postgres_locked: 2,
  postgres_connection_limit: 2,
  postgres_disk_full: 2,
  queue_truncated: 2,
  redis_crash: 3,
  redis_freeze: 3,
  redis_flush: 3,
  redis_silent: 2,
  redis_slow: 2,
  redis_full: 2,
};
/** The faults that need a mounted file system, where the machine does not allow one. */
export type Impossible = ReadonlySet<FaultKind>;

const HOUR_MS = 3_600_000;

export interface FaultPlanOptions {
  readonly durationMs: number;
  readonly backend: Backend;
  readonly times: Pick<Times, 'betweenFaultsMs' | 'longestFreezeMs'>;
  readonly impossible?: Impossible;
}

/** Plans the faults of a run. The same draws give the same plan. */
export function planFaults(
  random: SeededRandom,
  { durationMs, backend, times, impossible = new Set() }: FaultPlanOptions,
): PlannedFault[] {
  const kinds = (Object.keys(WEIGHTS) as FaultKind[]).filter(
    (kind) =>
      !impossible.has(kind) && (backend === 'redis' ? kind !== 'queue_truncated' : !kind.startsWith('redis')),
  );
  const draw = (kind: FaultKind) => drawFault(random, kind, times.longestFreezeMs);
  const absences = new Absences();
  const plan: PlannedFault[] = [];
  let atMs = random.between(...times.betweenFaultsMs);
  while (atMs < durationMs) {
    const drawn = draw(drawKind(random, kinds));
    const fault = absences.takeDue(atMs) ?? (absences.take(drawn, atMs) ? drawn : draw('kill'));
    plan.push({ atMs: Math.round(atMs), fault });
    atMs += random.between(...times.betweenFaultsMs);
  }
  return plan;
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

function drawFault(random: SeededRandom, kind: FaultKind, longestFreezeMs: number): Fault {
  const ms = (low: number, high: number) => Math.round(random.between(low, high));
  switch (kind) {
    case 'kill':
      return { kind, victim: drawVictim(random), downMs: ms(0, 1_000) };
    case 'freeze':
      return { kind, victim: drawVictim(random), frozenMs: ms(1_000, longestFreezeMs) };
    case 'restart':
      return { kind, victim: drawVictim(random) };
    case 'postgres_crash':
      return { kind, downMs: ms(0, 1_500) };
    case 'postgres_freeze':
      return { kind, frozenMs: ms(1_000, 2_000) };
    case 'postgres_silent':
    case 'redis_silent':
      return { kind, silentMs: ms(6_000, 10_000) };
    case 'postgres_slow':
    case 'redis_slow':
      return { kind, delayMs: ms(20, 150), slowMs: ms(2_000, 5_000) };
    case 'postgres_read_only':
      return { kind, readOnlyMs: ms(500, 2_000) };
    case 'postgres_locked':
      return { kind, lockedMs: ms(500, 3_000) };
    case 'postgres_connection_limit':
      return { kind, limitedMs: ms(500, 2_000) };
    case 'postgres_disk_full':
    case 'redis_full':
      return { kind, fullMs: ms(500, 2_000) };
    case 'clock_step':
      return { kind, victim: drawVictim(random), offsetMs: random.pick([HOUR_MS, -HOUR_MS, 0]) };
    case 'redis_crash':
      return { kind, downMs: ms(0, 1_500) };
    case 'redis_freeze':
      return { kind, frozenMs: ms(1_000, 2_000) };
    case 'postgres_disconnect':
    case 'queue_truncated':
    case 'redis_flush':
      return { kind };
  }
}

/** Workers are hit more often, because their work could be done twice. */
function drawVictim(random: SeededRandom): Victim {
  return random.pick(['worker-1', 'worker-2', 'worker-1', 'worker-2', ...VICTIMS]);
}
