import { Module } from '@nestjs/common';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { WebhookSigningSecretController } from './webhook-signing-secret.controller.js';
import { WebhookSigningSecretService } from './webhook-signing-secret.service.js';

@Module({
  imports: [WebhookEndpointsModule],
  controllers: [WebhookSigningSecretController],
  providers: [WebhookSigningSecretService],
})
export class WebhookSigningSecretModule {}
