import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore, type WebhookEndpointView } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { WebhookEndpointListQuery } from './webhook-endpoints.dto.js';
import { webhookEndpointNotFound } from './webhook-endpoints.faults.js';

/** Reads the endpoints of a tenant. */
@Injectable()
export class WebhookEndpointsQueries {
  constructor(private readonly endpoints: WebhookEndpointStore) {}

  /** By id, ascending. */
  async list(tenantId: string, query: WebhookEndpointListQuery): Promise<Page<WebhookEndpointView>> {
    const { limit, cursor: afterId } = query;
    return toPage(await this.endpoints.list(tenantId, { afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: number): Promise<WebhookEndpointView> {
    const endpoint = await this.endpoints.find(tenantId, id);
    if (endpoint === null) throw webhookEndpointNotFound();
    return endpoint;
  }
}
