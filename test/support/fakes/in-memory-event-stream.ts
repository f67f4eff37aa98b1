import {
  EventStream,
  EventStreamConflictError,
  type AppendNews,
  type AppendWatch,
  type FollowerWatch,
  type SettlementNews,
  type SettlementWatch,
} from '#libs/executions';
import { systemClock, toStorableJson, type Clock } from '#libs/kernel';
import type { ExecutionEvent, NumberedEvent } from '#libs/payloads';

/** For streams that replace only some methods: the execution is followed. */
export const FOLLOWED: FollowerWatch = { hasFollowers: true, close: () => undefined };

interface Stream {
  readonly events: NumberedEvent[];
  appendedAt: number;
}

/** The events of several `InMemoryEventStream`s, which share them as processes share a server. */
export class InMemoryEvents {
  readonly streams = new Map<string, Stream>();
  readonly watches = new Set<InMemoryWatch>();
  readonly settlementWatches = new Set<InMemorySettlementWatch>();
  /** Writers that hear of followers. */
  readonly arrivals = new Set<{ readonly executionId: string; readonly report: () => void }>();

  constructor(readonly clock: Clock = systemClock) {}
}

/** An `EventStream` for tests, which passes the contract suite of the real ones. */
export class InMemoryEventStream extends EventStream {
  /** @param hearsFollowers without it, every execution counts as followed */
  constructor(
    private readonly shared = new InMemoryEvents(),
    private readonly hearsFollowers = false,
  ) {
    super();
  }

  append(executionId: string, firstId: number, events: readonly ExecutionEvent[]): Promise<void> {
    if (events.length === 0) return Promise.resolve();
    if (this.topOf(executionId) >= firstId)
      return Promise.reject(new EventStreamConflictError(executionId, firstId));
    const stream = this.streamOf(executionId);
    for (const [index, event] of events.entries()) stream.events.push(asStored(event, firstId + index));
    stream.appendedAt = this.shared.clock.now();
    for (const watch of this.shared.watches) if (watch.executionId === executionId) watch.wake();
    const news = events.map(toNews).find((said) => said !== null);
    if (news)
      for (const watch of this.shared.settlementWatches)
        if (watch.executionId === executionId) watch.report(news);
    return Promise.resolve();
  }

  lastId(executionId: string): Promise<number> {
    return Promise.resolve(this.topOf(executionId));
  }

  readAfter(executionId: string, afterId: number, limit: number): Promise<readonly NumberedEvent[]> {
    const later = this.events(executionId).filter((event) => event.id > afterId);
    return Promise.resolve(structuredClone(later.slice(0, limit)));
  }

  watch(executionId: string): AppendWatch {
    const readAfter = (afterId: number): AppendNews => {
      const later = this.events(executionId).filter(({ id }) => id > afterId);
      return later[0]?.id === afterId + 1 ? structuredClone(later) : null;
    };
    const watch = new InMemoryWatch(executionId, readAfter, () => this.shared.watches.delete(watch));
    this.shared.watches.add(watch);
    for (const arrival of this.shared.arrivals) if (arrival.executionId === executionId) arrival.report();
    return watch;
  }

  watchFollowers(executionId: string, onArrival: () => void): FollowerWatch {
    const { watches, arrivals } = this.shared;
    const isFollowed = (): boolean => [...watches].some((watch) => watch.executionId === executionId);
    let hasFollowers = !this.hearsFollowers || isFollowed();
    const report = (): void => {
      if (hasFollowers) return;
      hasFollowers = true;
      onArrival();
    };
    const arrival = { executionId, report };
    arrivals.add(arrival);
    return {
      get hasFollowers() {
        return hasFollowers;
      },
      close: () => void arrivals.delete(arrival),
    };
  }

  watchSettlement(executionId: string): SettlementWatch {
    const watch = new InMemorySettlementWatch(executionId, () => this.shared.settlementWatches.delete(watch));
    this.shared.settlementWatches.add(watch);
    return watch;
  }

  delete(executionId: string): Promise<void> {
    this.shared.streams.delete(executionId);
    return Promise.resolve();
  }

  expire(olderThanMs: number): Promise<number> {
    let dropped = 0;
    for (const [executionId, stream] of this.shared.streams) {
      if (this.shared.clock.now() - stream.appendedAt < olderThanMs) continue;
      this.shared.streams.delete(executionId);
      dropped += stream.events.length;
    }
    return Promise.resolve(dropped);
  }

  /** All events of one execution. */
  events(executionId: string): readonly NumberedEvent[] {
    return this.shared.streams.get(executionId)?.events ?? [];
  }

  private topOf(executionId: string): number {
    return this.events(executionId).at(-1)?.id ?? 0;
  }

  private streamOf(executionId: string): Stream {
    const stream = this.shared.streams.get(executionId) ?? { events: [], appendedAt: 0 };
    this.shared.streams.set(executionId, stream);
    return stream;
  }
}

/** A copy by way of JSON, as a real store makes it. */
function asStored(event: ExecutionEvent, id: number): NumberedEvent {
  return JSON.parse(JSON.stringify({ ...event, data: toStorableJson(event.data), id })) as NumberedEvent;
}

class InMemoryWatch implements AppendWatch {
  private isSignalled = false;
  private finishWaiting: () => void = () => undefined;

  constructor(
    readonly executionId: string,
    private readonly readAfter: (afterId: number) => AppendNews,
    private readonly forget: () => void,
  ) {}

  async wait(afterId: number, timeoutMs: number, signal: AbortSignal): Promise<AppendNews> {
    if (!this.isSignalled && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          resolve();
        };
        const timer = setTimeout(finish, timeoutMs);
        signal.addEventListener('abort', finish);
        this.finishWaiting = finish;
      });
    }
    const { isSignalled } = this;
    this.isSignalled = false;
    return isSignalled ? this.readAfter(afterId) : null;
  }

  wake(): void {
    this.isSignalled = true;
    this.finishWaiting();
  }

  close(): void {
    this.forget();
    this.finishWaiting();
  }
}

function toNews(event: ExecutionEvent): SettlementNews | null {
  if (event.event === 'result') return { kind: 'settled', result: structuredClone(event.data) };
  return event.event === 'status' && event.data.status === 'requires_action' ? { kind: 'look' } : null;
}

class InMemorySettlementWatch implements SettlementWatch {
  private news: SettlementNews = { kind: 'silence' };
  private readonly watch: InMemoryWatch;

  constructor(
    readonly executionId: string,
    forget: () => void,
  ) {
    this.watch = new InMemoryWatch(executionId, () => null, forget);
  }

  async wait(timeoutMs: number, signal: AbortSignal): Promise<SettlementNews> {
    await this.watch.wait(0, timeoutMs, signal);
    const { news } = this;
    this.news = { kind: 'silence' };
    return news;
  }

  report(news: SettlementNews): void {
    if (this.news.kind !== 'settled') this.news = news;
    this.watch.wake();
  }

  wake(): void {
    this.report({ kind: 'look' });
  }

  close(): void {
    this.watch.close();
  }
}
