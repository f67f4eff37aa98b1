import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { WebhookDeliveryView } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems } from '../http/describe-answers.js';
import type { Page } from '../http/page.js';
import { AnswersMade } from '../http/location.js';
import { Access, Tenant } from '../http/access.js';
import { WebhookDeliveriesService, type WholeWebhookDelivery } from './webhook-deliveries.service.js';
import {
  WebhookDeliveryDto,
  WebhookDeliveryIdParams,
  WebhookDeliveryListQuery,
  WebhookDeliveryPageDto,
  WebhookDeliveryWithAttemptsDto,
} from './webhook-deliveries.dto.js';

/** Lists webhook deliveries, and sends them again. */
@ApiTags('webhook deliveries')
@Controller('api/webhook-deliveries')
@Access('webhooks:write')
export class WebhookDeliveriesController {
  constructor(private readonly webhookDeliveries: WebhookDeliveriesService) {}

  @Get()
  @Operation(
    'listWebhookDeliveries',
    'List webhook deliveries',
    'Newest first unless `sort` says otherwise. A delivery is one event for one receiver; failed ones are listed too.',
  )
  @Answers(200, WebhookDeliveryPageDto, 'One page of deliveries.')
  @Problems(400)
  list(
    @Tenant() tenantId: string,
    @Query() query: WebhookDeliveryListQuery,
  ): Promise<Page<WebhookDeliveryView>> {
    return this.webhookDeliveries.list(tenantId, query);
  }

  @Get(':id')
  @Operation(
    'getWebhookDelivery',
    'Read a webhook delivery',
    'With the body of its requests and every attempt.',
  )
  @Answers(200, WebhookDeliveryWithAttemptsDto, 'The delivery.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: WebhookDeliveryIdParams): Promise<WholeWebhookDelivery> {
    return this.webhookDeliveries.find(tenantId, id);
  }

  @Post(':id/redeliver')
  @Operation(
    'redeliverWebhookDelivery',
    'Send a webhook delivery again',
    'Sends it again at once with the same `webhook-id` and body, even if it was delivered before.',
  )
  @AnswersMade(WebhookDeliveryDto, '/api/webhook-deliveries/', 'The delivery, due now.', 202)
  @Problems(400, 404, 409)
  redeliver(
    @Tenant() tenantId: string,
    @Param() { id }: WebhookDeliveryIdParams,
  ): Promise<WebhookDeliveryView> {
    return this.webhookDeliveries.redeliver(tenantId, id);
  }
}
