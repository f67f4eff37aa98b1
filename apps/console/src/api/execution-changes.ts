import { followStream, type Connection } from './follow-stream.js';
import type { ChangeEvent, Standing } from './types.js';

/** A part of the page that wants to know how executions change. */
export interface ChangeListener {
  readonly onStandings: (standings: readonly Standing[]) => void;
  /** More may have changed than was sent: what was read before may be out of date. */
  readonly onMissed: () => void;
  readonly onConnection: (connection: Connection) => void;
  /** Only listens while another part does: it is not worth a connection by itself. */
  readonly isAside?: boolean;
}

/**
 * Follows the changes of all executions of the tenant by one connection for the whole page, while a part of it listens and
 * the page is visible: a browser holds only six connections to a server.
 */
class ExecutionChanges {
  private readonly listeners = new Set<ChangeListener>();
  private leaving: AbortController | null = null;
  private lastId: string | null = null;
  private connection: Connection = 'connecting';

  /** Returns what ends the listening. */
  listen(listener: ChangeListener): () => void {
    if (!this.isWanted()) document.addEventListener('visibilitychange', this.connectIfNeeded);
    this.listeners.add(listener);
    listener.onConnection(this.connection);
    this.connectIfNeeded();
    return () => {
      this.listeners.delete(listener);
      if (this.isWanted()) return;
      document.removeEventListener('visibilitychange', this.connectIfNeeded);
      this.connectIfNeeded();
      this.lastId = null;
    };
  }

  private isWanted(): boolean {
    return [...this.listeners].some(({ isAside = false }) => !isAside);
  }

  private readonly connectIfNeeded = (): void => {
    const isNeeded = this.isWanted() && !document.hidden;
    if (!isNeeded) {
      if (this.leaving !== null) this.setConnection('connecting');
      this.leaving?.abort();
      this.leaving = null;
    } else if (this.leaving === null) {
      this.leaving = new AbortController();
      void this.follow(this.leaving.signal);
    }
  };

  private async follow(signal: AbortSignal): Promise<void> {
    const show = (connection: Connection): void => {
      if (!signal.aborted) this.setConnection(connection);
    };
    try {
      await followStream<ChangeEvent>({
        ...{ path: '/api/executions/events/', after: this.lastId, signal, onConnection: show },
        isLast: () => false,
        onEvents: (events) => {
          if (!signal.aborted) this.take(events);
        },
      });
    } catch {
      // Refused, such as without the scope: the lists are read from time to time.
      show('ended');
    }
  }

  private setConnection(connection: Connection): void {
    this.connection = connection;
    this.listeners.forEach(({ onConnection }) => onConnection(connection));
  }

  private take(events: readonly ChangeEvent[]): void {
    this.lastId = events.at(-1)?.id ?? this.lastId;
    const standings = events.flatMap((event) => (event.event === 'execution' ? [event.data] : []));
    const hasMissed = events.some(({ event }) => event !== 'execution');
    this.listeners.forEach(({ onStandings, onMissed }) => {
      if (standings.length > 0) onStandings(standings);
      if (hasMissed) onMissed();
    });
  }
}

export const executionChanges = new ExecutionChanges();
