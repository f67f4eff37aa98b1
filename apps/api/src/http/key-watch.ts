import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { whenClosed, type Closing } from '#libs/http-server';
import { ApiKeyStore, ConsoleSessionStore } from '#libs/persistence';
import type { Principal } from './access.js';

/** Interval in ms of the checks; a request stays open for no longer than 5 s after its key or session has ended. */
const CHECK_EVERY_MS = 4_000;

type Closable = Closing & Pick<ServerResponse, 'destroy'>;

/** Looks up which of these ids may still be used. */
interface Lookup {
  filterUsable(ids: readonly string[]): Promise<Set<string>>;
}

/** Open requests by the id of what has let them in. */
interface Watched {
  readonly lookup: Lookup;
  readonly open: Map<string, Set<Closable>>;
}

/**
 * Closes long-lived requests, mainly event streams, once their key is revoked or expired, or their session ended: these are
 * otherwise checked only when a request arrives.
 */
@Injectable()
export class KeyWatch implements OnModuleDestroy {
  private readonly ofKeys: Watched;
  private readonly ofSessions: Watched;
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(ApiKeyStore) keys: Lookup, @Inject(ConsoleSessionStore) sessions: Lookup) {
    this.ofKeys = { lookup: keys, open: new Map() };
    this.ofSessions = { lookup: sessions, open: new Map() };
  }

  /** Watches until the response is over. */
  watch({ keyId, sessionId }: Pick<Principal, 'keyId' | 'sessionId'>, response: Closable): void {
    if (keyId === null) return;
    // A session ends with its key, so that it alone is watched.
    const { open } = sessionId === undefined ? this.ofKeys : this.ofSessions;
    const id = sessionId ?? keyId;
    const responses = open.get(id) ?? new Set();
    open.set(id, responses.add(response));
    this.timer ??= setInterval(() => void this.closeOrphans(), CHECK_EVERY_MS).unref();
    whenClosed(response, () => this.forget(open, id, response));
  }

  /** If a lookup fails, its requests stay open until the next check. */
  async closeOrphans(): Promise<void> {
    await Promise.all([this.ofKeys, this.ofSessions].map(closeOrphansOf));
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private forget(open: Watched['open'], id: string, response: Closable): void {
    const responses = open.get(id);
    responses?.delete(response);
    if (responses?.size === 0) open.delete(id);
    if (this.ofKeys.open.size + this.ofSessions.open.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

async function closeOrphansOf({ lookup, open }: Watched): Promise<void> {
  const ids = [...open.keys()];
  if (ids.length === 0) return;
  const usable = await lookup.filterUsable(ids).catch(() => new Set(ids));
  for (const id of ids) {
    if (usable.has(id)) continue;
    for (const response of open.get(id) ?? []) response.destroy();
  }
}
