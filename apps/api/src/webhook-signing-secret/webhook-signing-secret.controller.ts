import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { WebhookSigningSecretView } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems } from '../http/describe-answers.js';
import { Access, Tenant } from '../http/access.js';
import { createZodDto } from '../http/zod-dto.js';
import { ShowsSecret } from '../idempotency/route-keys.js';
import { WebhookSigningSecretService } from './webhook-signing-secret.service.js';

/** The only answer that contains the signing secret. */
export class WebhookSigningSecretDto extends createZodDto(
  z.object({
    secret: z.string().describe('`whsec_…`, for verifying signatures; shown once.'),
    previous_secret_expires_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'Time until which requests are also signed with the previous secret; null if there was none.',
      ),
  }),
  {
    secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
    previous_secret_expires_at: null,
  },
) {}

/** Manages the secret that signs the webhooks of single executions. */
@ApiTags('webhook signing secret')
@Controller('api/webhook-signing-secret')
@Access('webhooks:write')
export class WebhookSigningSecretController {
  constructor(private readonly webhookSigningSecret: WebhookSigningSecretService) {}

  @Post('rotate')
  @ShowsSecret()
  @Operation(
    'rotateWebhookSigningSecret',
    'Create or replace the webhook signing secret',
    'The secret signs webhooks of single executions. The answer shows it once. For 24 hours requests are signed with the old one too.',
  )
  @Answers(200, WebhookSigningSecretDto, 'The new secret.')
  @Problems(422)
  rotate(@Tenant() tenantId: string): Promise<WebhookSigningSecretView & { secret: string }> {
    return this.webhookSigningSecret.rotate(tenantId);
  }
}
