import { Module } from '@nestjs/common';
import { ApplyByName } from '../by-name/apply-by-name.js';
import { WebhookEndpointByNameController } from '../by-name/by-name.controller.js';
import { WebhookEndpointsByName } from '../by-name/webhook-endpoints-by-name.js';
import {
  WebhookEndpointChangesController,
  WebhookEndpointsController,
} from './webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { WebhookSecretKeeper } from './webhook-secret-keeper.js';

@Module({
  controllers: [
    WebhookEndpointsController,
    WebhookEndpointChangesController,
    WebhookEndpointByNameController,
  ],
  providers: [ApplyByName, WebhookEndpointsByName, WebhookEndpointsService, WebhookSecretKeeper],
  exports: [WebhookSecretKeeper],
})
export class WebhookEndpointsModule {}
