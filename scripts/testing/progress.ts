import type { PastTimes } from './past-times.ts';
import type { Phase } from './phase.ts';

/** A started phase. */
export interface PhaseProgress {
  readonly startedAtMs: number;
  /** Number of spec files; null until Jest has found them. */
  files: number | null;
  done: number;
  failed: number;
  hasEnded: boolean;
}

/**
 * One line: running phases with their files, failures so far, and the time left, estimated by the last duration of each
 * phase. Pure.
 * @param stages phases of one stage run concurrently, stages one after the other
 */
export function progressLine(options: {
  stages: readonly (readonly Phase[])[];
  phases: ReadonlyMap<string, PhaseProgress>;
  past: PastTimes;
  nowMs: number;
}): string {
  const { stages, phases, past, nowMs } = options;
  const running = [...phases].filter(([, { hasEnded }]) => !hasEnded);
  const counts = running.map(([name, { done, files }]) => `${name} ${done}/${files ?? '?'}`);
  const failed = [...phases.values()].reduce((sum, phase) => sum + phase.failed, 0);
  const left = stages.reduce(
    (sum, stage) => sum + Math.max(...stage.map((phase) => timeLeft(phase, phases, past, nowMs))),
    0,
  );
  return [...counts, `${failed} failed`, Number.isNaN(left) ? 'first run' : `${minutes(left)} left`].join(
    ' · ',
  );
}

/** Time left in ms; NaN for a phase without a past duration. */
function timeLeft(
  { name }: Phase,
  phases: ReadonlyMap<string, PhaseProgress>,
  past: PastTimes,
  nowMs: number,
): number {
  const phase = phases.get(name);
  if (phase?.hasEnded === true) return 0;
  const whole = past[name] ?? Number.NaN;
  return phase === undefined ? whole : Math.max(0, whole - (nowMs - phase.startedAtMs));
}

function minutes(ms: number): string {
  return ms < 60_000 ? 'less than a minute' : `about ${Math.round(ms / 60_000)} min`;
}
