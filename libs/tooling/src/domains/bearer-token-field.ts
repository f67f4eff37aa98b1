import { z } from 'zod';

/** A field of a route of a domain: the token of a service that it calls (RFC 6750), kept by `DomainSecrets`. */
export const bearerTokenField = z
  .string()
  .min(1)
  .max(4_000)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .nullable()
  .optional()
  .describe('Sent as a bearer token; kept sealed.');
