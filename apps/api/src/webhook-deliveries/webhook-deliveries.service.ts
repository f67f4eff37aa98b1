import { Injectable } from '@nestjs/common';
import {
  WebhookDeliveryLogStore,
  type WebhookAttemptView,
  type WebhookDeliveryView,
} from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import { webhookRequestHeaders } from '#libs/payloads';
import { byId, toPage, type Page } from '../http/page.js';
import type { WebhookDeliveryListQuery } from './webhook-deliveries.dto.js';
import { webhookDeliveryNotFound, webhookEndpointDisabled } from './webhook-deliveries.errors.js';

type SentAttempt = WebhookAttemptView & { readonly request_headers: Readonly<Record<string, string>> };

/** A delivery with what is sent, and with every attempt. */
export type WholeWebhookDelivery = WebhookDeliveryView & {
  readonly body: string;
  readonly attempts: readonly SentAttempt[];
};

/** Lists webhook deliveries of a tenant, and sends them again. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(private readonly deliveries: WebhookDeliveryLogStore) {}

  /** Sorted by the time of their events. */
  async list(tenantId: string, query: WebhookDeliveryListQuery): Promise<Page<WebhookDeliveryView>> {
    const { limit, cursor: lastId, status: statuses, type: types, from, to, sort } = query;
    const ofWhom = { endpointId: query.endpoint_id, executionId: query.execution_id };
    const filter = {
      ...{ ...ofWhom, statuses, types, from, to },
      ...{ isOldestFirst: sort === 'created_at', lastId, limit },
    };
    return toPage(await this.deliveries.list(tenantId, filter), byId);
  }

  /** One delivery with its body and every attempt. Throws `NOT_FOUND`. */
  async find(tenantId: string, id: string): Promise<WholeWebhookDelivery> {
    const delivery = await this.findAlone(tenantId, id);
    const body = await this.deliveries.findBody(tenantId, id);
    if (body === null) throw webhookDeliveryNotFound();
    const attempts = (await this.deliveries.listAttempts(tenantId, id)).map((attempt) => ({
      ...attempt,
      request_headers: webhookRequestHeaders(id, new Date(attempt.attempted_at)),
    }));
    return { ...delivery, body, attempts };
  }

  /** Sends a delivery again, with the same id and body. Throws `NOT_FOUND` and `WEBHOOK_ENDPOINT_DISABLED`. */
  async redeliver(tenantId: string, id: string): Promise<WebhookDeliveryView> {
    const redelivery = await this.deliveries.redeliver(tenantId, id);
    switch (redelivery) {
      case 'accepted':
        return this.findAlone(tenantId, id);
      case 'not_found':
        throw webhookDeliveryNotFound();
      case 'endpoint_disabled':
        throw webhookEndpointDisabled();
      default:
        return assertNever(redelivery);
    }
  }

  /** The delivery without its attempts. */
  private async findAlone(tenantId: string, id: string): Promise<WebhookDeliveryView> {
    const delivery = await this.deliveries.find(tenantId, id);
    if (delivery === null) throw webhookDeliveryNotFound();
    return delivery;
  }
}
