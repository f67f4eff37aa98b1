import type { ServerResponse } from 'node:http';

/** A session of a tool server, and what became of it. */
export interface ServedSession {
  readonly caseKey: string;
  readonly transport: 'http' | 'sse';
  /** `expired`: nobody was there any more, and it was given up after a while. */
  readonly state: 'open' | 'deleted' | 'stream_ended' | 'expired';
}

/** Without a request, and nothing being answered. */
const EXPIRES_AFTER_MS = 8_000;
const LOOK_EVERY_MS = 250;

interface Kept {
  session: ServedSession;
  openAnswers: number;
  usedMs: number;
  readonly close: () => void;
}

/** Sessions as real servers keep them: those of clients that have died expire. */
export class ServedSessions {
  private readonly kept = new Map<string, Kept>();

  constructor() {
    setInterval(() => this.expire(), LOOK_EVERY_MS).unref();
  }

  begin(id: string, transport: ServedSession['transport'], caseKey: string, close: () => void): void {
    const session = { caseKey, transport, state: 'open' } as const;
    this.kept.set(id, { session, openAnswers: 0, usedMs: performance.now(), close });
  }

  /** An answer is under way on it, until its connection is closed or it is complete. */
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
