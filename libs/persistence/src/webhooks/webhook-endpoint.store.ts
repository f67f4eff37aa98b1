import { MoreThan, type DataSource, type Repository } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';
import { WebhookBreakerEntity } from '../entities/webhook-breaker.entity.js';
import { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';
import { countUnderLock } from '../executions/count-under-lock.js';
import { isTaken } from '../rows/sql-state.js';
import { changeRow, insertUnlessTaken } from '../rows/versioned-repository.js';
import { PREVIOUS_SECRET_LIFETIME } from './webhook-signing-secret.store.js';

export interface WebhookEndpointView {
  readonly id: number;
  readonly name: string | null;
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
  /** Unique within the tenant, unless null. */
  readonly name: string | null;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly is_active: boolean;
}

/** Without more than these, the endpoint has no name and is active. */
export type NewWebhookEndpoint = Pick<WebhookEndpointFields, 'url' | 'events'> &
  Partial<WebhookEndpointFields>;

/** Replaces one sealed secret by another one. */
export interface WebhookSecretRotation {
  readonly from: string;
  readonly to: string;
}

/** Seals a secret for the endpoint with this id, which is part of the seal. */
export type SealWebhookSecret = (endpointId: number) => string;

/** Maximum endpoints per tenant; every event goes to each of them. */
export const MAX_WEBHOOK_ENDPOINTS = 20;

/** `name_taken`: another endpoint of the tenant has the name. `too_many`: there are {@link MAX_WEBHOOK_ENDPOINTS}. */
export type WebhookEndpointCreation = WebhookEndpointView | 'name_taken' | 'too_many';

/** Webhook endpoints of tenants, with sealed secrets. The caller that creates a secret shows it once. */
export class WebhookEndpointStore {
  private readonly endpoints: Repository<WebhookEndpointEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.endpoints = dataSource.getRepository(WebhookEndpointEntity);
  }

  async create(
    tenantId: string,
    { name = null, url, events, is_active: isActive = true }: NewWebhookEndpoint,
    sealSecret: SealWebhookSecret,
  ): Promise<WebhookEndpointCreation> {
    return this.dataSource.transaction(async (manager) => {
      const count = await countUnderLock(manager, 'webhook_endpoint', tenantId);
      if (count >= MAX_WEBHOOK_ENDPOINTS) return 'too_many';
      const endpoints = manager.getRepository(WebhookEndpointEntity);
      const values = { tenantId, name, url, events: [...events], isActive, secretSealed: '' };
      const made = await insertUnlessTaken(endpoints, values);
      if (made === null) return 'name_taken';
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

  async findByName(tenantId: string, name: string): Promise<WebhookEndpointView | null> {
    const endpoint = await this.endpoints.findOneBy({ tenantId, name });
    return endpoint && toView(endpoint);
  }

  /** The secret that signs now; null if there is no such endpoint. */
  async findSealedSecret(tenantId: string, id: number): Promise<string | null> {
    const found = await this.endpoints.findOne({ select: { secretSealed: true }, where: { tenantId, id } });
    return found?.secretSealed ?? null;
  }

  /**
   * Updates the given fields. A new URL, or an activation, resets the failure count. Returns null if there is no such
   * endpoint, or its secret is not that of `rotation` any more.
   *
   * @param rotation a new secret; the previous one signs for another day
   */
  async update(
    tenantId: string,
    id: number,
    { name, url, events, is_active: isActive }: Partial<WebhookEndpointFields>,
    rotation: WebhookSecretRotation | null = null,
  ): Promise<WebhookEndpointView | 'name_taken' | null> {
    // The id makes an empty change a valid statement.
    const values = { id, name, url, events: events && [...events], isActive };
    const secrets = rotation && { secretSealed: rotation.to, ...previousSecret() };
    const seen = rotation && { secretSealed: rotation.from };
    try {
      const changed = await this.dataSource.transaction(async (manager) => {
        const endpoints = manager.getRepository(WebhookEndpointEntity);
        const row = await changeRow(endpoints, { tenantId, id, ...seen }, { ...values, ...secrets });
        if (row !== null && (url !== undefined || isActive === true))
          await manager.delete(WebhookBreakerEntity, { tenantId, receiver: `endpoint:${id}` });
        return row;
      });
      return changed && (await this.find(tenantId, id));
    } catch (error) {
      if (isTaken(error)) return 'name_taken';
      throw error;
    }
  }

  /** Sets a new secret; the previous one signs for another day. Returns null if there is no such endpoint. */
  async rotateSecret(
    tenantId: string,
    id: number,
    sealSecret: SealWebhookSecret,
  ): Promise<WebhookEndpointView | null> {
    await this.endpoints.update({ tenantId, id }, { secretSealed: sealSecret(id), ...previousSecret() });
    return this.find(tenantId, id);
  }

  /** Deletes the endpoint and its deliveries. Returns false if there is no such endpoint. */
  async delete(tenantId: string, id: number): Promise<boolean> {
    return (await this.endpoints.delete({ tenantId, id })).affected !== 0;
  }
}

/** The secret so far, which signs for another day. */
function previousSecret() {
  return {
    previousSecretSealed: () => 'secret_sealed',
    previousSecretExpiresAt: () => `now() + interval '${PREVIOUS_SECRET_LIFETIME}'`,
  };
}

function toView(endpoint: WebhookEndpointEntity): WebhookEndpointView {
  const { id, name, url, events, isActive: is_active } = endpoint;
  const { previousSecretExpiresAt, pausedUntil, createdAt } = endpoint;
  return {
    ...{ id, name, url, events, is_active },
    previous_secret_expires_at: previousSecretExpiresAt?.toISOString() ?? null,
    paused_until: pausedUntil?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}
