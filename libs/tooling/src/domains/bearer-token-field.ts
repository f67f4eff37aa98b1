import { z } from 'zod';

/** Request field of a domain's route for the bearer token of a called service (RFC 6750), stored in `DomainSecrets`. */
export const bearerTokenField = z
  .string()
  .min(1)
  .max(4_000)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .nullable()
  .optional()
  .describe('Bearer token for the service; stored encrypted.');
