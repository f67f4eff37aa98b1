import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore, type WebhookEndpointView } from '#libs/persistence';
import type { WebhookEndpointFieldsDto } from '../webhook-endpoints/webhook-endpoints.dto.js';
import { missingWebhookSecret } from '../webhook-endpoints/webhook-endpoints.errors.js';
import { WebhookEndpointsService } from '../webhook-endpoints/webhook-endpoints.service.js';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';
import { ByName, unlessRefused, type Found } from './apply-by-name.js';
import { changedFields } from './changed-fields.js';

/** The field of the secret, as it is listed among those that change. */
const SECRET = 'secret';

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
    const rotation = await this.rotationTo(tenantId, before.id, secret);
    return rotation === null ? changed : [...changed, SECRET];
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
    changed: readonly string[],
  ): Promise<Found<WebhookEndpointView> | null> {
    const rotation = secret === undefined ? null : await this.rotationTo(tenantId, id, secret);
    // Another request rotated the secret since the comparison.
    if (changed.includes(SECRET) !== (rotation !== null)) return null;
    const view = await this.endpoints.update(tenantId, id, fields, rotation);
    return view === null || view === 'name_taken' ? null : { view };
  }

  /** Null where the endpoint has the secret already, or is gone. */
  private async rotationTo(tenantId: string, id: number, secret: string) {
    const from = await this.endpoints.findSealedSecret(tenantId, id);
    if (from === null || this.keeper.isSame(tenantId, id, from, secret)) return null;
    return { from, to: this.keeper.sealer(tenantId, secret)(id) };
  }
}
