import { Injectable } from '@nestjs/common';
import { systemClock } from '#libs/kernel';
import { ApiKeyStore } from '#libs/persistence';
import type { Principal } from '../http/access.js';
import { STREAM_TOKEN } from '../http/find-principal.js';
import { formatStreamToken } from '../http/stream-token.js';
import { ExecutionsService } from './executions.service.js';
import { executionNotFound } from './executions.errors.js';
import type { StreamTokenView } from './stream-tokens.dto.js';

/** Issues tokens by which a page follows one execution with `EventSource`. */
@Injectable()
export class StreamTokens {
  constructor(
    private readonly keys: ApiKeyStore,
    private readonly executions: ExecutionsService,
  ) {}

  /** Throws `NOT_FOUND`. */
  async make({ tenantId, keyId }: Principal, executionId: string, seconds: number): Promise<StreamTokenView> {
    const { id } = await this.executions.find(tenantId, executionId);
    const expiresAt = Math.floor(systemClock.now() / 1_000) + seconds;
    const path = `/api/executions/${id}/events/`;
    const expires_at = new Date(expiresAt * 1_000).toISOString();
    if (keyId === null) return { token: null, url: path, expires_at };
    const key = await this.keys.find(keyId);
    // The key was revoked after the request had been authorised.
    if (key === null) throw executionNotFound();
    const token = formatStreamToken(keyId, key.secretSha256, id, expiresAt);
    return { token, url: `${path}?${STREAM_TOKEN}=${token}`, expires_at };
  }
}
