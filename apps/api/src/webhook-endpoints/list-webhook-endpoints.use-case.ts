import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore, type WebhookEndpointView } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { WebhookEndpointListQuery } from './webhook-endpoint.dto.js';

/** The endpoints of the tenant by id, ascending. */
@Injectable()
export class ListWebhookEndpoints {
  constructor(private readonly endpoints: WebhookEndpointStore) {}

  async execute(tenantId: string, query: WebhookEndpointListQuery): Promise<Page<WebhookEndpointView>> {
    const { limit, cursor: afterId } = query;
    return toPage(await this.endpoints.list(tenantId, { afterId, limit }), byId);
  }
}
