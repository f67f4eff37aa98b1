import type { DataSource } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';
import { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity.js';
import { queryRows } from '../sql.js';

export interface WebhookEndpointView {
  readonly id: number;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly is_active: boolean;
  /** Until when requests are also signed with the secret before the last rotation; null when there was none. */
  readonly previous_secret_expires_at: string | null;
  readonly created_at: string;
}

export interface WebhookEndpointFields {
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly is_active: boolean;
}

/** Seals a secret for the endpoint with this id; the id is part of what the seal is bound to. */
export type SealWebhookSecret = (endpointId: number) => string;

/** How long the secret before a rotation still signs. */
const PREVIOUS_SECRET_LIFETIME = '24 hours';

/** Webhook endpoints of one tenant, with their secrets sealed. A secret is shown once, by whoever made it. */
export class WebhookEndpointStore {
  constructor(private readonly dataSource: DataSource) {}

  async create(
    tenantId: string,
    { url, events }: Omit<WebhookEndpointFields, 'is_active'>,
    sealSecret: SealWebhookSecret,
  ): Promise<WebhookEndpointView> {
    const [reserved] = await queryRows<{ id: number }>(
      this.dataSource,
      `SELECT nextval(pg_get_serial_sequence('webhook_endpoint', 'id'))::int AS id`,
    );
    const id = reserved?.id ?? 0;
    const columns = { id, tenantId, url, events: [...events], secretSealed: sealSecret(id) };
    return toView(await this.endpoints.save(Object.assign(new WebhookEndpointEntity(), columns)));
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

  /** What is not given stays. Answers null when there is no such endpoint. */
  async update(
    tenantId: string,
    id: number,
    { url, events, is_active }: Partial<WebhookEndpointFields>,
  ): Promise<WebhookEndpointView | null> {
    await queryRows(
      this.dataSource,
      `UPDATE webhook_endpoint
          SET url = coalesce($3, url), events = coalesce($4, events), is_active = coalesce($5, is_active)
        WHERE tenant_id = $1 AND id = $2 RETURNING id`,
      [tenantId, id, url ?? null, events ?? null, is_active ?? null],
    );
    return this.find(tenantId, id);
  }

  /** A new secret; the one before it goes on signing for a day. Answers null when there is no such endpoint. */
  async rotateSecret(
    tenantId: string,
    id: number,
    sealSecret: SealWebhookSecret,
  ): Promise<WebhookEndpointView | null> {
    await queryRows(
      this.dataSource,
      `UPDATE webhook_endpoint
          SET secret_sealed = $3, previous_secret_sealed = secret_sealed,
              previous_secret_expires_at = now() + interval '${PREVIOUS_SECRET_LIFETIME}'
        WHERE tenant_id = $1 AND id = $2 RETURNING id`,
      [tenantId, id, sealSecret(id)],
    );
    return this.find(tenantId, id);
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
    previous_secret_expires_at: endpoint.previousSecretExpiresAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
  };
}
