import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { FileReport } from './messages.ts';
import { readPastTimes, writePastTimes } from './past-times.ts';
import type { Phase } from './phase.ts';
import { ProgressDisplay } from './progress-display.ts';
import { progressLine, type PhaseProgress } from './progress.ts';
import { runPhase, type EndedPhase } from './run-phase.ts';
import { describeEnd, describeFailure, sumOf } from './test-outcome.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Stages = readonly (readonly Phase[])[];

/**
 * Runs stages one after the other and their phases concurrently. Prints progress, each failure as it occurs, all failures at
 * the end, and finally `N passed, N failed`.
 * @returns the exit code: 0, 1 after a failed test, 128 + signal after an interrupt
 */
export async function runStages(root: string, stages: Stages): Promise<number> {
  const run = new StagesRun(root, stages);
  for (const signal of SIGNALS) process.on(signal, run.interrupt);
  try {
    return await run.toEnd();
  } finally {
    for (const signal of SIGNALS) process.off(signal, run.interrupt);
  }
}

class StagesRun {
  private readonly root: string;
  private readonly stages: Stages;
  private readonly phases = new Map<string, PhaseProgress>();
  private readonly reports: FileReport[] = [];
  private readonly times: Record<string, number> = {};
  private readonly children = new Set<ChildProcess>();
  private readonly display: ProgressDisplay;
  private interruption: NodeJS.Signals | null = null;

  constructor(root: string, stages: Stages) {
    this.root = root;
    this.stages = stages;
    const past = readPastTimes(root);
    this.display = new ProgressDisplay(() =>
      progressLine({ stages, phases: this.phases, past, nowMs: performance.now() }),
    );
  }

  /** Jest ends its tests' processes and then itself; no further stage starts. */
  readonly interrupt = (signal: NodeJS.Signals): void => {
    this.interruption = signal;
    for (const child of this.children) child.kill(signal);
  };

  async toEnd(): Promise<number> {
    for (const stage of this.stages) {
      if (this.interruption === null) await Promise.all(stage.map((phase) => this.runOne(phase)));
    }
    this.display.end();
    if (this.interruption !== null) return 128 + constants.signals[this.interruption];
    writePastTimes(this.root, { ...readPastTimes(this.root), ...this.times });
    process.stdout.write(describeEnd(this.reports));
    return sumOf(this.reports).failed > 0 ? 1 : 0;
  }

  private async runOne(phase: Phase): Promise<void> {
    const { name } = phase;
    const progress: PhaseProgress = {
      ...{ startedAtMs: performance.now(), files: null, done: 0, failed: 0, hasEnded: false },
    };
    this.phases.set(name, progress);
    const reports: FileReport[] = [];
    const ended = await runPhase(this.root, phase, this.children, {
      started: ({ files, seed }) => {
        progress.files = files;
        this.display.print(`${name}: ${files} files, in the order of --seed ${seed}`);
      },
      ended: (report) => {
        reports.push(report);
        progress.done += 1;
        progress.failed += report.failures.length;
        for (const failure of report.failures) {
          this.display.print(`\n${describeFailure(report.file, failure)}\n`);
        }
      },
    });
    progress.hasEnded = true;
    this.noteEnd(name, ended, reports, performance.now() - progress.startedAtMs);
  }

  private noteEnd(name: string, ended: EndedPhase, reports: FileReport[], ms: number): void {
    if (this.interruption === null && ended.code !== 0 && sumOf(reports).failed === 0) {
      this.display.print(ended.output);
      const message = `Jest ended with exit code ${ended.code}; the end of its output is above.`;
      reports.push({ file: name, passed: 0, skipped: 0, failures: [{ title: null, message }] });
    }
    this.times[name] = ms;
    this.reports.push(...reports);
    const { passed, failed } = sumOf(reports);
    this.display.print(`${name}: ${passed} passed, ${failed} failed in ${Math.round(ms / 1_000)} s`);
  }
}
