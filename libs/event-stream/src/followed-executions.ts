import type { FollowerWatch } from '#libs/executions';
import type { MonotonicClock } from '#libs/kernel';
import type { FailureLog } from './event-stream-log.js';
import { WHO_FOLLOWS } from './wake-up.js';

/** Sends a message to every process that writes events, or to every one that reads them. */
export type SendToAll = (to: 'writers' | 'readers', message: string) => Promise<unknown>;

/** Milliseconds between two announcements of a follower that stays. */
export const ANNOUNCED_EVERY_MS = 30_000;
/** Milliseconds that an execution counts as followed after an announcement: two more may be lost. */
const COUNTS_FOR_MS = 3 * ANNOUNCED_EVERY_MS;
/** Maximum executions remembered, about 3 MB; beyond it, every execution counts as followed. */
const MAX_REMEMBERED = 20_000;

/** Separates the executions of an announcement; an empty announcement shows the sender that it hears its own. */
export const SEPARATOR = '\n';

/** For a process that does not hear of followers: all its executions count as followed. */
export const ALWAYS_FOLLOWED: FollowerWatch = { hasFollowers: true, close: () => undefined };

/** Executions with followers in any process, as announced to this one, which writes their events. */
export class FollowedExecutions {
  /** Time of the last announcement, the oldest first. */
  private readonly heardAt = new Map<string, number>();
  private readonly arrivals = new Map<string, Set<() => void>>();
  /** False until the first announcement on a connection: a connection through a pooler would never bring one. */
  private isHearing = false;

  constructor(
    private readonly clock: MonotonicClock,
    private readonly send: SendToAll,
    private readonly logFailure: FailureLog,
  ) {}

  /** Called when announcements may have been missed: shows this process that it hears, and asks for all followers. */
  async catchUp(): Promise<void> {
    try {
      await this.send('writers', '');
      await this.send('readers', WHO_FOLLOWS);
    } catch (error) {
      this.logFailure('event stream: did not ask for followers', error);
    }
  }

  /** @param announcement executions that are followed, in this or another process */
  hear(announcement: string): void {
    this.isHearing = true;
    const now = this.clock.monotonic();
    this.forgetUntil(now - COUNTS_FOR_MS);
    for (const executionId of announcement.split(SEPARATOR))
      if (executionId !== '') this.note(executionId, now);
    if (this.heardAt.size >= MAX_REMEMBERED) this.reportAll();
  }

  /** From here on announcements may be missed, so that every execution counts as followed. */
  lose(): void {
    if (!this.isHearing) return;
    this.isHearing = false;
    this.reportAll();
  }

  watch(executionId: string, onArrival: () => void): FollowerWatch {
    const arrivals = this.arrivals.get(executionId) ?? new Set();
    this.arrivals.set(executionId, arrivals.add(onArrival));
    const isFollowed = (): boolean => this.isFollowed(executionId);
    return {
      get hasFollowers() {
        return isFollowed();
      },
      close: () => {
        arrivals.delete(onArrival);
        if (arrivals.size === 0 && this.arrivals.get(executionId) === arrivals)
          this.arrivals.delete(executionId);
      },
    };
  }

  private isFollowed(executionId: string): boolean {
    this.forgetUntil(this.clock.monotonic() - COUNTS_FOR_MS);
    return !this.isHearing || this.heardAt.size >= MAX_REMEMBERED || this.heardAt.has(executionId);
  }

  private note(executionId: string, now: number): void {
    const isKnown = this.heardAt.delete(executionId);
    this.heardAt.set(executionId, now);
    if (!isKnown) this.report(executionId);
  }

  private reportAll(): void {
    for (const executionId of this.arrivals.keys()) this.report(executionId);
  }

  private report(executionId: string): void {
    for (const onArrival of this.arrivals.get(executionId) ?? []) onArrival();
  }

  private forgetUntil(limit: number): void {
    for (const [executionId, at] of this.heardAt) {
      if (at > limit) return;
      this.heardAt.delete(executionId);
    }
  }
}
