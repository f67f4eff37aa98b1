import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ApiKeyStore } from '#libs/persistence';
import type { Principal } from './access.js';

/** Maximum time that a request stays open after its key has ended, in ms. */
const CHECK_EVERY_MS = 10_000;

type Closable = Pick<ServerResponse, 'destroy'>;

/**
 * Closes long-lived requests, mainly event streams, once their key is revoked or expired: keys are otherwise checked only
 * when a request arrives.
 */
@Injectable()
export class KeyWatch implements OnModuleDestroy {
  private readonly open = new Map<string, Set<Closable>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(ApiKeyStore) private readonly keys: Pick<ApiKeyStore, 'filterUsable'>) {}

  /** Watches until `signal` aborts. */
  watch({ keyId }: Pick<Principal, 'keyId'>, response: Closable, signal: AbortSignal): void {
    if (keyId === null || signal.aborted) return;
    const responses = this.open.get(keyId) ?? new Set();
    this.open.set(keyId, responses.add(response));
    signal.addEventListener('abort', () => this.forget(keyId, response), { once: true });
    this.timer ??= setInterval(() => void this.closeOrphans(), CHECK_EVERY_MS).unref();
  }

  /** If the lookup of keys fails, all requests stay open until the next check. */
  async closeOrphans(): Promise<void> {
    const ids = [...this.open.keys()];
    const usable = await this.keys.filterUsable(ids).catch(() => new Set(ids));
    for (const id of ids) {
      if (usable.has(id)) continue;
      for (const response of this.open.get(id) ?? []) response.destroy();
    }
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private forget(keyId: string, response: Closable): void {
    const responses = this.open.get(keyId);
    responses?.delete(response);
    if (responses?.size === 0) this.open.delete(keyId);
    if (this.open.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
