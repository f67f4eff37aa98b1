import { setTimeout as delay } from 'node:timers/promises';
import type { Timeline } from '../ledgers/timeline.js';
import { targetOf, type Backend, type Fault } from '../plan/fault.js';
import type { PlannedFault } from '../plan/fault-plan.js';
import { inflict, type Targets } from './inflict.js';

/** A fault that was inflicted. Times are Unix milliseconds. */
export interface InflictedFault {
  readonly fault: Fault;
  readonly from: number;
  readonly to: number;
}

/**
 * Inflicts faults at their times. A fault is left out if its target is still under another one or is just starting:
 * otherwise a slow machine would only be starting processes.
 */
export class FaultInjector {
  readonly inflicted: InflictedFault[] = [];
  private readonly busy = new Set<string>();

  constructor(
    private readonly targets: Targets,
    private readonly timeline: Timeline,
  ) {}

  /** Resolves when the last fault is undone. */
  async inflictAll(plan: readonly PlannedFault[]): Promise<void> {
    const begunAt = Date.now();
    const running: Promise<void>[] = [];
    for (const { atMs, fault } of plan) {
      await delay(Math.max(0, begunAt + atMs - Date.now()));
      running.push(this.inflictUnlessBusy(fault));
    }
    await Promise.all(running);
  }

  /** Loses both workers and all jobs of the queue at once, so that only the reconciler can find the executions. */
  async loseEverythingOnce(backend: Backend): Promise<void> {
    const kills: Fault[] = [
      { kind: 'kill', victim: 'worker-1', downMs: 0 },
      { kind: 'kill', victim: 'worker-2', downMs: 0 },
    ];
    await Promise.all(kills.map((fault) => this.inflictUnlessBusy(fault)));
    await this.inflictUnlessBusy({ kind: backend === 'redis' ? 'redis_flush' : 'queue_truncated' });
  }

  private async inflictUnlessBusy(fault: Fault): Promise<void> {
    const target = targetOf(fault);
    const isStarting = 'victim' in fault && this.targets.services[fault.victim]?.isReady !== true;
    if (this.busy.has(target) || isStarting) {
      this.timeline.note('fault left out', fault);
      return;
    }
    this.busy.add(target);
    this.timeline.note('fault', fault);
    const from = Date.now();
    try {
      await inflict(fault, this.targets);
    } catch (error) {
      this.timeline.note('fault failed', { fault, error: String(error) });
    } finally {
      this.busy.delete(target);
      this.inflicted.push({ fault, from, to: Date.now() });
      this.timeline.note('fault undone', { ...fault, tookMs: Date.now() - from });
    }
  }
}
