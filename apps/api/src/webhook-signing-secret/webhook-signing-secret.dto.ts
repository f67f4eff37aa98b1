import { createZodDto } from '../http/zod-dto.js';
import { z } from 'zod';

/** The only answer that shows the secret. */
export class WebhookSigningSecretDto extends createZodDto(
  z.object({
    secret: z.string().describe('`whsec_…`, to verify signatures with; shown once.'),
    previous_secret_expires_at: z.iso
      .datetime()
      .nullable()
      .describe('Until when requests are also signed with the secret before; null when there was none.'),
  }),
) {}
