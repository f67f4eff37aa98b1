import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { WebhookSigningSecretView } from '#libs/persistence';
import { Answers, Problems } from '../http/describe-answers.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { RotateWebhookSigningSecret } from './rotate-webhook-signing-secret.use-case.js';
import { WebhookSigningSecretDto } from './webhook-signing-secret.dto.js';

/** What signs the webhooks that come with executions. */
@ApiTags('webhook signing secret')
@Controller('api/webhook-signing-secret')
@Access('webhooks:write')
export class WebhookSigningSecretController {
  constructor(private readonly rotateSigningSecret: RotateWebhookSigningSecret) {}

  @Post('rotate')
  @ApiOperation({
    summary:
      'Make the secret that signs the webhooks of executions, or replace it; for 24 hours requests are signed with the old one too',
  })
  @Answers(200, WebhookSigningSecretDto, 'The new secret.')
  @Problems(422)
  rotate(@Tenant() tenantId: string): Promise<WebhookSigningSecretView & { secret: string }> {
    return this.rotateSigningSecret.execute(tenantId);
  }
}
