import { targetOf, type Fault } from './fault.js';

const COMING_BACK_MS = 500;
/**
 * The largest share of the time so far, 0 to 1, that faults may keep each store away: these moments are partly exempt, and
 * most of a run has to count (I27).
 */
export const MAX_ABSENCE = 0.14;

/**
 * Spreads the faults that keep a store away: a fault that exceeds the share waits, and later ones of its store wait behind
 * it.
 */
export class Absences {
  private readonly spentMs = new Map<string, number>();
  private waiting: Fault[] = [];

  /** True if the fault can be inflicted at this time; otherwise it waits behind those of its store that wait. */
  take(fault: Fault, atMs: number): boolean {
    if (absenceMs(fault) === 0) return true;
    const isFirst = !this.waiting.some((other) => targetOf(other) === targetOf(fault));
    if (isFirst && this.spend(fault, atMs)) return true;
    this.waiting.push(fault);
    return false;
  }

  /** A fault that has waited long enough, the first of its store; null if there is none. */
  takeDue(atMs: number): Fault | null {
    const first = new Map(this.waiting.toReversed().map((fault) => [targetOf(fault), fault]));
    const due = [...first.values()].find((fault) => this.spend(fault, atMs));
    if (due === undefined) return null;
    this.waiting = this.waiting.filter((fault) => fault !== due);
    return due;
  }

  private spend(fault: Fault, atMs: number): boolean {
    const store = targetOf(fault);
    const spentMs = (this.spentMs.get(store) ?? 0) + absenceMs(fault);
    if (spentMs > MAX_ABSENCE * atMs) return false;
    this.spentMs.set(store, spentMs);
    return true;
  }
}

/** Milliseconds that the fault keeps a store away from all processes, their reconnecting included. */
export function absenceMs(fault: Fault): number {
  switch (fault.kind) {
    case 'postgres_crash':
    case 'redis_crash':
      return fault.downMs + COMING_BACK_MS;
    case 'postgres_freeze':
    case 'redis_freeze':
      return fault.frozenMs + COMING_BACK_MS;
    case 'postgres_silent':
    case 'redis_silent':
      return fault.silentMs + COMING_BACK_MS;
    case 'postgres_read_only':
      return fault.readOnlyMs + COMING_BACK_MS;
    case 'postgres_locked':
      return fault.lockedMs + COMING_BACK_MS;
    case 'postgres_connection_limit':
      return fault.limitedMs + COMING_BACK_MS;
    case 'postgres_disk_full':
    case 'redis_full':
      return fault.fullMs + COMING_BACK_MS;
    case 'postgres_disconnect':
    case 'redis_flush':
      return COMING_BACK_MS;
    default:
      return 0;
  }
}
