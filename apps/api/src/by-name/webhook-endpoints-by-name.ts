import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore, type WebhookEndpointView } from '#libs/persistence';
import type { WebhookEndpointFieldsDto } from '../webhook-endpoints/webhook-endpoints.dto.js';
import { missingWebhookSecret } from '../webhook-endpoints/webhook-endpoints.errors.js';
import { WebhookEndpointsService } from '../webhook-endpoints/webhook-endpoints.service.js';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';
import { ByName, unlessRefused, type Found } from './apply-by-name.js';
import { changedFields } from './changed-fields.js';

/** An endpoint with its sealed secret. */
interface FoundEndpoint extends Found<WebhookEndpointView> {
  /** Null where the endpoint is gone since. */
  readonly sealed: string | null;
}

/** Webhook endpoints by name. A secret that is given is compared with the stored one; without one the stored one stays. */
@Injectable()
export class WebhookEndpointsByName extends ByName<
  WebhookEndpointFieldsDto,
  WebhookEndpointView,
  FoundEndpoint
> {
  readonly kind = 'webhook-endpoints';

  constructor(
    private readonly endpoints: WebhookEndpointStore,
    private readonly service: WebhookEndpointsService,
    private readonly keeper: WebhookSecretKeeper,
  ) {
    super();
  }

  async find(tenantId: string, name: string): Promise<FoundEndpoint | null> {
    const view = await this.endpoints.findByName(tenantId, name);
    return view && { view, sealed: await this.endpoints.findSealedSecret(tenantId, view.id) };
  }

  async check(tenantId: string, { secret }: WebhookEndpointFieldsDto): Promise<void> {
    if (secret === undefined) throw missingWebhookSecret();
    this.keeper.sealer(tenantId, secret);
  }

  async compare(
    tenantId: string,
    before: FoundEndpoint,
    { secret, ...fields }: WebhookEndpointFieldsDto,
  ): Promise<string[]> {
    const changed = changedFields({ ...before.view }, fields);
    return this.rotationTo(tenantId, before, secret) === null ? changed : [...changed, 'secret'];
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
    before: FoundEndpoint,
    { secret, ...fields }: WebhookEndpointFieldsDto,
  ): Promise<Found<WebhookEndpointView> | null> {
    const rotation = this.rotationTo(tenantId, before, secret);
    const view = await this.endpoints.update(tenantId, before.view.id, fields, rotation);
    return view === null || view === 'name_taken' ? null : { view };
  }

  /** Null where no secret is given, or the endpoint has it already. */
  private rotationTo(tenantId: string, { view: { id }, sealed }: FoundEndpoint, secret: string | undefined) {
    if (secret === undefined || sealed === null) return null;
    if (this.keeper.isSame(tenantId, id, sealed, secret)) return null;
    return { from: sealed, to: this.keeper.sealer(tenantId, secret)(id) };
  }
}
