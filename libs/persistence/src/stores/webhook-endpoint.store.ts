import type { DataSource } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';
import { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity.js';

export interface WebhookEndpointView {
  readonly id: number;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly is_active: boolean;
  readonly created_at: string;
}

export interface NewWebhookEndpoint {
  readonly url: string;
  readonly secret: string;
  readonly events: readonly WebhookEventType[];
}

/** Webhook endpoints of one tenant. Their secrets are shown once, by whoever made them. */
export class WebhookEndpointStore {
  constructor(private readonly dataSource: DataSource) {}

  async create(tenantId: string, endpoint: NewWebhookEndpoint): Promise<WebhookEndpointView> {
    const { url, secret, events } = endpoint;
    return toView(await this.endpoints.save({ tenantId, url, secret, events: [...events] }));
  }

  async list(
    tenantId: string,
    page: { readonly afterId?: number | undefined; readonly limit: number },
  ): Promise<WebhookEndpointView[]> {
    const query = this.endpoints
      .createQueryBuilder('endpoint')
      .where('endpoint.tenantId = :tenantId', { tenantId })
      .andWhere('endpoint.id > :afterId', { afterId: page.afterId ?? 0 });
    return (await query.orderBy('endpoint.id').limit(page.limit).getMany()).map(toView);
  }

  async find(tenantId: string, id: number): Promise<WebhookEndpointView | null> {
    const endpoint = await this.endpoints.findOneBy({ tenantId, id });
    return endpoint ? toView(endpoint) : null;
  }

  /** Its deliveries go with it. Answers false when there is no such endpoint. */
  async delete(tenantId: string, id: number): Promise<boolean> {
    const { affected } = await this.endpoints.delete({ tenantId, id });
    return (affected ?? 0) > 0;
  }

  private get endpoints() {
    return this.dataSource.getRepository(WebhookEndpointEntity);
  }
}

function toView(endpoint: WebhookEndpointEntity): WebhookEndpointView {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    is_active: endpoint.isActive,
    created_at: endpoint.createdAt.toISOString(),
  };
}
