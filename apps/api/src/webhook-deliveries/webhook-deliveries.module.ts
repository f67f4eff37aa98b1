import { Module } from '@nestjs/common';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

@Module({
  controllers: [WebhookDeliveriesController],
  providers: [WebhookDeliveriesService],
})
export class WebhookDeliveriesModule {}
