import type { ServerResponse } from 'node:http';

/** A session of a tool server, and its state. */
export interface ServedSession {
  readonly caseKey: string;
  readonly transport: 'http' | 'sse';
  /** `expired`: dropped because its client sent no more requests. */
  readonly state: 'open' | 'deleted' | 'stream_ended' | 'expired';
}

/** Milliseconds without a request or an open answer. */
const EXPIRES_AFTER_MS = 8_000;
const LOOK_EVERY_MS = 250;

interface Kept {
  session: ServedSession;
  openAnswers: number;
  usedMs: number;
  readonly close: () => void;
}

/** Keeps sessions as real servers do: those of dead clients expire. */
export class ServedSessions {
  private readonly kept = new Map<string, Kept>();

  constructor() {
    setInterval(() => this.expire(), LOOK_EVERY_MS).unref();
  }

  begin(id: string, transport: ServedSession['transport'], caseKey: string, close: () => void): void {
    const session = { caseKey, transport, state: 'open' } as const;
    this.kept.set(id, { session, openAnswers: 0, usedMs: performance.now(), close });
  }

  /** Counts an open answer on the session until the answer is complete or its connection is closed. */
  served(id: string, response: ServerResponse): void {
    const kept = this.kept.get(id);
    if (kept === undefined || response.closed) return;
    kept.openAnswers += 1;
    response.once('close', () => {
      kept.openAnswers -= 1;
      kept.usedMs = performance.now();
    });
  }

  end(id: string, state: Exclude<ServedSession['state'], 'open'>): void {
    const kept = this.kept.get(id);
    if (kept?.session.state === 'open') kept.session = { ...kept.session, state };
  }

  list(): ServedSession[] {
    return [...this.kept.values()].map(({ session }) => session);
  }

  private expire(): void {
    for (const [id, { session, openAnswers, usedMs, close }] of this.kept) {
      const isLeft = openAnswers === 0 && performance.now() - usedMs > EXPIRES_AFTER_MS;
      if (session.state !== 'open' || !isLeft) continue;
      this.end(id, 'expired');
      close();
    }
  }
}
