import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore, type WebhookEndpointView } from '#libs/persistence';
import type { WebhookEndpointFieldsDto } from '../webhook-endpoints/webhook-endpoints.dto.js';
import { missingWebhookSecret } from '../webhook-endpoints/webhook-endpoints.errors.js';
import { WebhookEndpointsService } from '../webhook-endpoints/webhook-endpoints.service.js';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';
import { ByName, unlessRefused, type Found } from './apply-by-name.js';
import { changedFields } from './changed-fields.js';

/** Webhook endpoints by name. A secret that is given is compared with the stored one; without one the stored one stays. */
@Injectable()
export class WebhookEndpointsByName extends ByName<
  WebhookEndpointFieldsDto,
  WebhookEndpointView,
  Found<WebhookEndpointView>
> {
  readonly kind = 'webhook-endpoints';

  constructor(
    private readonly endpoints: WebhookEndpointStore,
    private readonly service: WebhookEndpointsService,
    private readonly keeper: WebhookSecretKeeper,
  ) {
    super();
  }

  async find(tenantId: string, name: string): Promise<Found<WebhookEndpointView> | null> {
    const view = await this.endpoints.findByName(tenantId, name);
    return view && { view };
  }

  async check(tenantId: string, { secret }: WebhookEndpointFieldsDto): Promise<void> {
    if (secret === undefined) throw missingWebhookSecret();
    this.keeper.sealer(tenantId, secret);
  }

  async compare(
    tenantId: string,
    before: WebhookEndpointView,
    { secret, ...fields }: WebhookEndpointFieldsDto,
  ): Promise<string[]> {
    const changed = changedFields({ ...before }, fields);
    if (secret === undefined) return changed;
    const sealed = await this.endpoints.findSealedSecret(tenantId, before.id);
    const isSame = sealed !== null && this.keeper.isSame(tenantId, before.id, sealed, secret);
    return isSame ? changed : [...changed, 'secret'];
  }

  async create(
    tenantId: string,
    { secret, ...fields }: WebhookEndpointFieldsDto,
  ): Promise<Found<WebhookEndpointView> | null> {
    if (secret === undefined) throw missingWebhookSecret();
    const made = this.service.createSealed(tenantId, fields, this.keeper.sealer(tenantId, secret));
    const view = await unlessRefused(made, 'WEBHOOK_ENDPOINT_NAME_TAKEN');
    return view && { view };
  }

  async replace(
    tenantId: string,
    { view: { id } }: Found<WebhookEndpointView>,
    { secret, ...fields }: WebhookEndpointFieldsDto,
  ): Promise<Found<WebhookEndpointView> | null> {
    const sealed = secret === undefined ? null : await this.endpoints.findSealedSecret(tenantId, id);
    if (secret !== undefined && sealed !== null && !this.keeper.isSame(tenantId, id, sealed, secret))
      await this.endpoints.rotateSecret(tenantId, id, this.keeper.sealer(tenantId, secret));
    const view = await unlessRefused(this.service.change(tenantId, id, fields), 'NOT_FOUND');
    return view && { view };
  }
}
