import { problemOf } from '../../api/problem.js';
import type { TimelinePage } from '../../api/timeline.js';
import type { RecordedEntry } from '../../api/types.js';
import { waitBeforeRetry } from '../../api/wait-before-retry.js';
import { timelineOf } from './timeline-of.js';
import type { TimelineEntry } from './timeline-entry.js';
import { sumOf, type TimelineSum } from './timeline-sum.js';

export interface TimelineState {
  readonly entries: readonly TimelineEntry[];
  readonly sum: TimelineSum;
  /** `reading`: more entries come. */
  readonly progress: 'reading' | 'read' | 'failed';
  readonly error: unknown;
}

interface Pauses {
  readonly refreshMs: number;
  readonly beforeRetry: (failures: number, signal: AbortSignal) => Promise<void>;
}

interface ReadPage {
  readonly cursor: string | null;
  readonly recorded: readonly RecordedEntry[];
  readonly entries: readonly TimelineEntry[];
}

/** Least time between two drawings while entries come, in ms; it doubles, and the first ones are shown at once. */
const SHOW_AFTER_MS = 250;
const SHOW_AFTER_AT_MOST_MS = 2_000;
const PAUSES: Pauses = { refreshMs: 2_500, beforeRetry: waitBeforeRetry };
/** How often a run that is over is looked at for what ends after it, such as webhooks. */
const LAST_LOOKS = 4;
const MAX_TRIES = 4;

/**
 * Reads the timeline of a run page by page, hands on what it has so far, and follows the run until it is over: then only
 * those pages are read again whose entries can change.
 */
export class TimelineReader {
  private readonly pages: ReadPage[] = [];
  private readonly listeners = new Set<() => void>();
  private state: TimelineState = { entries: [], sum: sumOf([]), progress: 'reading', error: null };
  private next: { readonly cursor: string | null } | null = { cursor: null };
  private showFrom = 0;
  private showAfterMs = SHOW_AFTER_MS;
  private isOver = false;
  private wake: () => void = () => undefined;

  /** @param readOne reads the page after a cursor, or the first one */
  constructor(
    private readonly readOne: (cursor: string | null, signal: AbortSignal) => Promise<TimelinePage>,
    private readonly pauses: Pauses = PAUSES,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): TimelineState => this.state;

  /** Says whether the run is over, and has what ended with it read at once. */
  setOver(isOver: boolean): void {
    if (isOver && !this.isOver) this.wake();
    this.isOver = isOver;
  }

  /** Reads until `signal` aborts, or until the run is over and all of it is read. */
  async read(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.wake());
    try {
      await this.readOn(signal);
      for (let looks = 0; looks === 0 || (looks < LAST_LOOKS && this.hasOpenEntries());) {
        await this.untilRefresh();
        if (signal.aborted) return;
        looks += this.isOver ? 1 : 0;
        await this.refresh(signal);
      }
    } catch (error) {
      if (!signal.aborted) this.show({ progress: 'failed', error });
    }
  }

  private async readOn(signal: AbortSignal): Promise<void> {
    const isLeft = (): boolean => signal.aborted;
    while (this.next !== null && !isLeft()) {
      const { cursor } = this.next;
      const page = await this.readPage(cursor, signal);
      if (isLeft()) return;
      this.pages.push(toRead(cursor, page));
      this.next = page.next_cursor === null ? null : { cursor: page.next_cursor };
      if (this.next === null || performance.now() > this.showFrom) this.show();
    }
  }

  /** Reads pages with entries that are not over once more, and then what comes after the last page. */
  private async refresh(signal: AbortSignal): Promise<void> {
    for (const [index, known] of this.pages.entries()) {
      const isLast = index === this.pages.length - 1;
      if (!isLast && !known.recorded.some(isOpen)) continue;
      const page = await this.readPage(known.cursor, signal);
      if (signal.aborted) return;
      this.pages[index] = toRead(known.cursor, page);
      if (isLast && page.next_cursor !== null) this.next = { cursor: page.next_cursor };
    }
    await this.readOn(signal);
    this.show();
  }

  private untilRefresh(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.pauses.refreshMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private hasOpenEntries(): boolean {
    return this.pages.some(({ recorded }) => recorded.some(isOpen));
  }

  private async readPage(cursor: string | null, signal: AbortSignal): Promise<TimelinePage> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.readOne(cursor, signal);
      } catch (error) {
        const { status } = problemOf(error);
        const isPassing = status === 0 || status === 429 || status >= 500;
        if (signal.aborted || !isPassing || failures + 1 >= MAX_TRIES) throw error;
        await this.pauses.beforeRetry(failures, signal);
      }
    }
  }

  private show(more: Partial<TimelineState> = {}): void {
    this.showFrom = performance.now() + this.showAfterMs;
    this.showAfterMs = Math.min(2 * this.showAfterMs, SHOW_AFTER_AT_MOST_MS);
    this.state = {
      entries: this.pages.flatMap(({ entries }) => entries),
      sum: sumOf(this.pages.flatMap(({ recorded }) => recorded)),
      progress: this.next === null ? 'read' : 'reading',
      error: null,
      ...more,
    };
    this.listeners.forEach((listener) => listener());
  }
}

const isOpen = ({ finished_at, status }: RecordedEntry): boolean =>
  finished_at === null && !ENDED_WITHOUT_TIME.includes(status);

/** Entries whose end has no time: they never ran, or were given up. */
const ENDED_WITHOUT_TIME: readonly string[] = [
  ...['refused', 'withdrawn', 'exhausted', 'outcome_unknown', 'lost', 'unknown'],
];

const toRead = (cursor: string | null, { data }: TimelinePage): ReadPage => ({
  cursor,
  recorded: data,
  entries: timelineOf(data),
});
