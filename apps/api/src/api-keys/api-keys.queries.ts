import { Injectable } from '@nestjs/common';
import { ApiKeyStore, type ApiKeyView } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { ApiKeyListQuery } from './api-keys.dto.js';
import { apiKeyNotFound } from './api-keys.faults.js';

/** Reading the keys of every tenant, for who runs the service. */
@Injectable()
export class ApiKeysQueries {
  constructor(private readonly keys: ApiKeyStore) {}

  /** Newest first, also those that are over. */
  async list({
    limit,
    cursor: beforeId,
    tenant_id: tenantId,
    status,
  }: ApiKeyListQuery): Promise<Page<ApiKeyView>> {
    return toPage(await this.keys.list({ tenantId, status, beforeId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(id: string): Promise<ApiKeyView> {
    const key = await this.keys.read(id);
    if (key === null) throw apiKeyNotFound();
    return key;
  }
}
