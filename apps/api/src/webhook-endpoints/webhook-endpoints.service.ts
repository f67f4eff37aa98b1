import { Injectable } from '@nestjs/common';
import {
  WebhookDeliveryLogStore,
  WebhookEndpointStore,
  type NewWebhookEndpoint,
  type WebhookDeliveryView,
  type WebhookEndpointView,
} from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import { webhookEndpointDisabled } from '../webhook-deliveries/webhook-deliveries.errors.js';
import type {
  WebhookEndpointListQuery,
  NewWebhookEndpointDto,
  WebhookEndpointPatchDto,
} from './webhook-endpoints.dto.js';
import {
  tooManyWebhookEndpoints,
  webhookEndpointNameTaken,
  webhookEndpointNotFound,
} from './webhook-endpoints.errors.js';
import { WebhookSecretKeeper, type NewWebhookSecret } from './webhook-secret-keeper.js';

/** An endpoint with its secret, which is shown only once. */
export type WebhookEndpointWithSecret = WebhookEndpointView & { readonly secret: string };

/** Lists and changes the webhook endpoints of a tenant. */
@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly endpoints: WebhookEndpointStore,
    private readonly deliveries: WebhookDeliveryLogStore,
    private readonly keeper: WebhookSecretKeeper,
  ) {}

  /** Sorted by ascending id. */
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

  /** Throws `ENCRYPTION_NOT_CONFIGURED`, `TOO_MANY_ENDPOINTS`, `WEBHOOK_ENDPOINT_NAME_TAKEN`. */
  async create(tenantId: string, fields: NewWebhookEndpointDto): Promise<WebhookEndpointWithSecret> {
    const { secret, seal } = this.keeper.make(tenantId);
    return { ...(await this.createSealed(tenantId, fields, seal)), secret };
  }

  /** Creates an endpoint with a secret of the caller. Throws `TOO_MANY_ENDPOINTS`, `WEBHOOK_ENDPOINT_NAME_TAKEN`. */
  async createSealed(
    tenantId: string,
    fields: NewWebhookEndpoint,
    seal: NewWebhookSecret['seal'],
  ): Promise<WebhookEndpointView> {
    const endpoint = await this.endpoints.create(tenantId, fields, seal);
    if (endpoint === 'too_many') throw tooManyWebhookEndpoints();
    if (endpoint === 'name_taken') throw webhookEndpointNameTaken();
    return endpoint;
  }

  /** Changes some or all fields of an endpoint, except its secret. Throws `NOT_FOUND`, `WEBHOOK_ENDPOINT_NAME_TAKEN`. */
  async change(tenantId: string, id: number, patch: WebhookEndpointPatchDto): Promise<WebhookEndpointView> {
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    const endpoint = await this.endpoints.update(tenantId, id, given);
    if (endpoint === 'name_taken') throw webhookEndpointNameTaken();
    if (endpoint === null) throw webhookEndpointNotFound();
    return endpoint;
  }

  /**
   * Returns a new secret; for 24 hours requests are also signed with the previous one. Throws `NOT_FOUND` and
   * `ENCRYPTION_NOT_CONFIGURED`.
   */
  async rotateSecret(tenantId: string, id: number): Promise<WebhookEndpointWithSecret> {
    const { secret, seal } = this.keeper.make(tenantId);
    const endpoint = await this.endpoints.rotateSecret(tenantId, id, seal);
    if (endpoint === null) throw webhookEndpointNotFound();
    return { ...endpoint, secret };
  }

  /** Queues a test event for an endpoint. Throws `NOT_FOUND` and `WEBHOOK_ENDPOINT_DISABLED`. */
  async test(tenantId: string, id: number): Promise<WebhookDeliveryView> {
    const delivery = await this.deliveries.createTest(tenantId, id);
    if (delivery === 'not_found') throw webhookEndpointNotFound();
    if (delivery === 'endpoint_disabled') throw webhookEndpointDisabled();
    return delivery;
  }

  /** Deletes an endpoint with its deliveries. Throws `NOT_FOUND`. */
  async delete(tenantId: string, id: number): Promise<void> {
    if (!(await this.endpoints.delete(tenantId, id))) throw webhookEndpointNotFound();
  }
}
