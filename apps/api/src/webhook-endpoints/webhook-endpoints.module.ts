import { Module } from '@nestjs/common';
import {
  WebhookEndpointChangesController,
  WebhookEndpointsController,
} from './webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { WebhookSecretKeeper } from './webhook-secret-keeper.js';

@Module({
  controllers: [WebhookEndpointsController, WebhookEndpointChangesController],
  providers: [WebhookEndpointsService, WebhookSecretKeeper],
  exports: [WebhookSecretKeeper],
})
export class WebhookEndpointsModule {}
