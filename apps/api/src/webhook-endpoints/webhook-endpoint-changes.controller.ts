import { Body, Controller, Delete, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { WebhookEndpointView } from '#libs/persistence';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { ChangeWebhookEndpoint } from './change-webhook-endpoint.use-case.js';
import { DeleteWebhookEndpoint } from './delete-webhook-endpoint.use-case.js';
import { RotateWebhookSecret } from './rotate-webhook-secret.use-case.js';
import {
  WebhookEndpointDto,
  WebhookEndpointIdParams,
  WebhookEndpointPatchDto,
  WebhookEndpointWithSecretDto,
} from './webhook-endpoint.dto.js';

/** Changing or removing an endpoint, and replacing its secret. */
@ApiTags('webhook endpoints')
@Controller('api/webhook-endpoints/:id')
@Access('webhooks:write')
export class WebhookEndpointChangesController {
  constructor(
    private readonly changeEndpoint: ChangeWebhookEndpoint,
    private readonly rotateWebhookSecret: RotateWebhookSecret,
    private readonly deleteEndpoint: DeleteWebhookEndpoint,
  ) {}

  @Patch()
  @ApiOperation({
    summary: 'Change some fields of an endpoint; what is still to be sent goes where it says then',
  })
  @Answers(200, WebhookEndpointDto, 'The endpoint as it is now.')
  @ProblemsOfBody(404)
  patch(
    @Tenant() tenantId: string,
    @Param() { id }: WebhookEndpointIdParams,
    @Body() patch: WebhookEndpointPatchDto,
  ): Promise<WebhookEndpointView> {
    return this.changeEndpoint.execute(tenantId, id, patch);
  }

  @Post('rotate-secret')
  @ApiOperation({ summary: 'Replace the secret; for 24 hours requests are signed with the old one too' })
  @Answers(200, WebhookEndpointWithSecretDto, 'The endpoint with its new secret.')
  @Problems(400, 404, 422)
  rotateSecret(
    @Tenant() tenantId: string,
    @Param() { id }: WebhookEndpointIdParams,
  ): Promise<WebhookEndpointView & { secret: string }> {
    return this.rotateWebhookSecret.execute(tenantId, id);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove an endpoint with its deliveries' })
  @ApiResponse({ status: 204, description: 'The endpoint is gone.' })
  @Problems(400, 404)
  remove(@Tenant() tenantId: string, @Param() { id }: WebhookEndpointIdParams): Promise<void> {
    return this.deleteEndpoint.execute(tenantId, id);
  }
}
