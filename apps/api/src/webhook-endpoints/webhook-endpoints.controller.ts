import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { WebhookDeliveryView, WebhookEndpointView } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import type { Page } from '../http/page.js';
import { AnswersMade } from '../http/location.js';
import { Access, Tenant } from '../http/access.js';
import { ShowsSecret } from '../idempotency/route-keys.js';
import { WebhookDeliveryDto } from '../webhook-deliveries/webhook-deliveries.dto.js';
import { WebhookEndpointsService, type WebhookEndpointWithSecret } from './webhook-endpoints.service.js';
import {
  NewWebhookEndpointDto,
  WebhookEndpointDto,
  WebhookEndpointIdParams,
  WebhookEndpointListQuery,
  WebhookEndpointPageDto,
  WebhookEndpointPatchDto,
  WebhookEndpointWithSecretDto,
} from './webhook-endpoints.dto.js';

/** Lists and creates webhook endpoints. */
@ApiTags('webhook endpoints')
@Controller('api/webhook-endpoints')
@Access('webhooks:write')
export class WebhookEndpointsController {
  constructor(private readonly webhookEndpoints: WebhookEndpointsService) {}

  @Post()
  @ShowsSecret()
  @Operation(
    'createWebhookEndpoint',
    'Create a webhook endpoint',
    'The endpoint receives the events that it names, of all executions of the tenant. The answer shows its signing secret once.',
  )
  @AnswersMade(WebhookEndpointWithSecretDto, '/api/webhook-endpoints/', 'The new endpoint with its secret.')
  @ProblemsOfBody(409, 422)
  create(
    @Tenant() tenantId: string,
    @Body() endpoint: NewWebhookEndpointDto,
  ): Promise<WebhookEndpointWithSecret> {
    return this.webhookEndpoints.create(tenantId, endpoint);
  }

  @Get()
  @Operation('listWebhookEndpoints', 'List webhook endpoints', 'Ordered by ascending id, without secrets.')
  @Answers(200, WebhookEndpointPageDto, 'One page of endpoints.')
  @Problems(400)
  list(
    @Tenant() tenantId: string,
    @Query() query: WebhookEndpointListQuery,
  ): Promise<Page<WebhookEndpointView>> {
    return this.webhookEndpoints.list(tenantId, query);
  }

  @Get(':id')
  @Operation('getWebhookEndpoint', 'Read a webhook endpoint', 'Without its secret.')
  @Answers(200, WebhookEndpointDto, 'The endpoint.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: WebhookEndpointIdParams): Promise<WebhookEndpointView> {
    return this.webhookEndpoints.find(tenantId, id);
  }
}

/** Changes, tests and deletes endpoints, and rotates their secrets. */
@ApiTags('webhook endpoints')
@Controller('api/webhook-endpoints/:id')
@Access('webhooks:write')
export class WebhookEndpointChangesController {
  constructor(private readonly webhookEndpoints: WebhookEndpointsService) {}

  @Patch()
  @Operation(
    'updateWebhookEndpoint',
    'Change some fields of a webhook endpoint',
    'Omitted fields stay as they are. Pending deliveries go to the new address.',
  )
  @Answers(200, WebhookEndpointDto, 'The endpoint as it is now.')
  @ProblemsOfBody(404, 409)
  patch(
    @Tenant() tenantId: string,
    @Param() { id }: WebhookEndpointIdParams,
    @Body() patch: WebhookEndpointPatchDto,
  ): Promise<WebhookEndpointView> {
    return this.webhookEndpoints.change(tenantId, id, patch);
  }

  @Post('rotate-secret')
  @ShowsSecret()
  @Operation(
    'rotateWebhookEndpointSecret',
    'Replace the secret of a webhook endpoint',
    'The answer shows the new secret once. For 24 hours requests are signed with the old one too.',
  )
  @Answers(200, WebhookEndpointWithSecretDto, 'The endpoint with its new secret.')
  @Problems(400, 404, 422)
  rotateSecret(
    @Tenant() tenantId: string,
    @Param() { id }: WebhookEndpointIdParams,
  ): Promise<WebhookEndpointWithSecret> {
    return this.webhookEndpoints.rotateSecret(tenantId, id);
  }

  @Post('test')
  @Operation(
    'testWebhookEndpoint',
    'Send a test event to a webhook endpoint',
    'Queues a signed delivery of type `webhook.test`, also if the endpoint names other events, and ends a pause of the endpoint. ' +
      'The last 20 test deliveries of an endpoint are kept.',
  )
  @AnswersMade(WebhookDeliveryDto, '/api/webhook-deliveries/', 'The delivery, due now.', 202)
  @Problems(400, 404, 409)
  test(@Tenant() tenantId: string, @Param() { id }: WebhookEndpointIdParams): Promise<WebhookDeliveryView> {
    return this.webhookEndpoints.test(tenantId, id);
  }

  @Delete()
  @HttpCode(204)
  @Operation(
    'deleteWebhookEndpoint',
    'Delete a webhook endpoint',
    'Deletes its deliveries too; nothing more is sent.',
  )
  @ApiResponse({ status: 204, description: 'The endpoint is gone.' })
  @Problems(400, 404)
  remove(@Tenant() tenantId: string, @Param() { id }: WebhookEndpointIdParams): Promise<void> {
    return this.webhookEndpoints.delete(tenantId, id);
  }
}
