import { followExecution, type Connection } from '../api/follow-execution.js';
import type { RunEvent } from '../api/types.js';
import { EMPTY_CONVERSATION, foldEvents, type Conversation } from './fold-events.js';

/** Events of a run so far. */
export interface CollectedEvents {
  readonly events: readonly RunEvent[];
  readonly connection: Connection;
  /** Why the events cannot be read; null where they can. */
  readonly error: unknown;
}

const NOTHING: CollectedEvents = { events: [], connection: 'connecting', error: null };

/** Collects the events of a run outside of the page, so that only those parts are drawn anew that show them. */
export class RunEventsStore {
  private readonly listeners = new Set<() => void>();
  private state = NOTHING;
  private conversation: Conversation = EMPTY_CONVERSATION;
  private folded = 0;

  constructor(private readonly executionId: string) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): CollectedEvents => this.state;
  readonly getConnection = (): Connection => this.state.connection;

  /** The conversation so far; only what came since it was last asked for is added. */
  readonly getConversation = (): Conversation => {
    const { events } = this.state;
    if (this.folded < events.length) {
      this.conversation = foldEvents(this.conversation, events.slice(this.folded));
      this.folded = events.length;
    }
    return this.conversation;
  };

  /** Follows until `signal` aborts, from the beginning. */
  async follow(signal: AbortSignal, onEvents: (events: readonly RunEvent[]) => void): Promise<void> {
    [this.conversation, this.folded] = [EMPTY_CONVERSATION, 0];
    this.change(NOTHING);
    try {
      await followExecution({
        ...{ executionId: this.executionId, signal },
        onConnection: (connection) => {
          if (!signal.aborted) this.change({ connection });
        },
        onEvents: (events) => {
          if (signal.aborted) return;
          this.change({ events: [...this.state.events, ...events] });
          onEvents(events);
        },
      });
    } catch (error) {
      if (!signal.aborted) this.change({ connection: 'ended', error });
    }
  }

  private change(more: Partial<CollectedEvents>): void {
    this.state = { ...this.state, ...more };
    this.listeners.forEach((listener) => listener());
  }
}
