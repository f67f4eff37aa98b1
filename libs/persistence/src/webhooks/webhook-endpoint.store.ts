import { MoreThan, type DataSource, type Repository } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';
import { WebhookBreakerEntity } from '../entities/webhook-breaker.entity.js';
import { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';
import { countUnderLock } from '../executions/count-under-lock.js';
import { changeRow } from '../rows/versioned-repository.js';
import { PREVIOUS_SECRET_LIFETIME } from './webhook-signing-secret.store.js';

export interface WebhookEndpointView {
  readonly id: number;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly is_active: boolean;
  /** Time until which requests are also signed with the previous secret; null without one. */
  readonly previous_secret_expires_at: string | null;
  /** End of the pause after too many consecutive failures; null without a pause. */
  readonly paused_until: string | null;
  readonly created_at: string;
}

export interface WebhookEndpointFields {
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly is_active: boolean;
}

/** Seals a secret for the endpoint with this id, which is part of the seal. */
export type SealWebhookSecret = (endpointId: number) => string;

/** Maximum endpoints per tenant; every event goes to each of them. */
export const MAX_WEBHOOK_ENDPOINTS = 20;

/** Webhook endpoints of tenants, with sealed secrets. The caller that creates a secret shows it once. */
export class WebhookEndpointStore {
  private readonly endpoints: Repository<WebhookEndpointEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.endpoints = dataSource.getRepository(WebhookEndpointEntity);
  }

  /** Returns null if the tenant has {@link MAX_WEBHOOK_ENDPOINTS} endpoints. */
  async create(
    tenantId: string,
    { url, events }: Omit<WebhookEndpointFields, 'is_active'>,
    sealSecret: SealWebhookSecret,
  ): Promise<WebhookEndpointView | null> {
    return this.dataSource.transaction(async (manager) => {
      const count = await countUnderLock(manager, 'webhook_endpoint', tenantId);
      if (count >= MAX_WEBHOOK_ENDPOINTS) return null;
      const endpoints = manager.getRepository(WebhookEndpointEntity);
      const made = await endpoints.save({ tenantId, url, events: [...events], secretSealed: '' });
      await endpoints.update({ id: made.id }, { secretSealed: sealSecret(made.id) });
      return toView(made);
    });
  }

  async list(
    tenantId: string,
    { afterId = 0, limit }: { readonly afterId?: number | undefined; readonly limit: number },
  ): Promise<RowsOfPage<WebhookEndpointView>> {
    const endpoints = this.endpoints
      .createQueryBuilder('endpoint')
      .where({ tenantId, id: MoreThan(afterId) });
    return mapRows(await readEntityPage(this.endpoints, endpoints, { orderBy: 'id', limit }), toView);
  }

  async find(tenantId: string, id: number): Promise<WebhookEndpointView | null> {
    const endpoint = await this.endpoints.findOneBy({ tenantId, id });
    return endpoint && toView(endpoint);
  }

  /**
   * Updates the given fields. A new URL, or an activation, resets the failure count. Returns null if there is no such
   * endpoint.
   */
  async update(
    tenantId: string,
    id: number,
    { url, events, is_active: isActive }: Partial<WebhookEndpointFields>,
  ): Promise<WebhookEndpointView | null> {
    await this.dataSource.transaction(async (manager) => {
      // The id makes an empty change a valid statement.
      const values = { id, url, events: events && [...events], isActive };
      const changed = await changeRow(manager.getRepository(WebhookEndpointEntity), { tenantId, id }, values);
      if (changed === null || (url === undefined && isActive !== true)) return;
      await manager.delete(WebhookBreakerEntity, { tenantId, receiver: `endpoint:${id}` });
    });
    return this.find(tenantId, id);
  }

  /** Sets a new secret; the previous one signs for another day. Returns null if there is no such endpoint. */
  async rotateSecret(
    tenantId: string,
    id: number,
    sealSecret: SealWebhookSecret,
  ): Promise<WebhookEndpointView | null> {
    await this.endpoints.update(
      { tenantId, id },
      {
        secretSealed: sealSecret(id),
        previousSecretSealed: () => 'secret_sealed',
        previousSecretExpiresAt: () => `now() + interval '${PREVIOUS_SECRET_LIFETIME}'`,
      },
    );
    return this.find(tenantId, id);
  }

  /** Deletes the endpoint and its deliveries. Returns false if there is no such endpoint. */
  async delete(tenantId: string, id: number): Promise<boolean> {
    return (await this.endpoints.delete({ tenantId, id })).affected !== 0;
  }
}

function toView(endpoint: WebhookEndpointEntity): WebhookEndpointView {
  const { id, url, events, isActive: is_active, previousSecretExpiresAt, pausedUntil, createdAt } = endpoint;
  return {
    ...{ id, url, events, is_active },
    previous_secret_expires_at: previousSecretExpiresAt?.toISOString() ?? null,
    paused_until: pausedUntil?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}
