import { setTimeout as delay } from 'node:timers/promises';
import type { Timeline } from '../ledgers/timeline.js';
import { targetOf, type Backend, type Fault } from '../plan/fault.js';
import type { PlannedFault } from '../plan/fault-plan.js';
import { inflict, type Targets } from './inflict.js';

/** A fault that was done. Times are Unix milliseconds. */
export interface InflictedFault {
  readonly fault: Fault;
  readonly from: number;
  readonly to: number;
}

/**
 * Does faults at their times. One whose target is still under another, or is just starting, is left out: on a slow machine
 * nothing would run but starts.
 */
export class FaultInjector {
  readonly inflicted: InflictedFault[] = [];
  private readonly busy = new Set<string>();

  constructor(
    private readonly targets: Targets,
    private readonly timeline: Timeline,
  ) {}

  /** Resolves when the last one is undone. */
  async inflictAll(plan: readonly PlannedFault[]): Promise<void> {
    const begunAt = Date.now();
    const running: Promise<void>[] = [];
    for (const { atMs, fault } of plan) {
      await delay(Math.max(0, begunAt + atMs - Date.now()));
      running.push(this.inflictUnlessBusy(fault));
    }
    await Promise.all(running);
  }

  /** All that only a reconciler could find again: what waits in the queue and what both workers are doing. */
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
