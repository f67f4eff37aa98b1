import { z } from 'zod';
import { API_KEY_STATUSES, SCOPES } from '#libs/persistence';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { createZodDto } from '../http/zod-dto.js';

const DAY_SECONDS = 86_400;
const MAX_DAYS_OF_OVERLAP = 30;

const idSchema = z.string().regex(/^[0-9a-f]{16}$/, 'must be the id of an API key: 16 hexadecimal digits');
/** Tenant id, possibly older than the format rule for ids. */
const tenantIdSchema = z
  .string()
  .min(1)
  .max(1_000)
  .refine((id) => !id.includes('\u0000'), 'must be the id of a tenant');

/** PostgreSQL supports later years, but clients may not. */
const isUsualYear = (text: string): boolean => new Date(text).getUTCFullYear() <= 9999;

export class NewApiKeyDto extends createZodDto(
  z.strictObject({
    name: z.string().trim().min(1).max(100).describe('Purpose of the key, for people.'),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .max(SCOPES.length)
      .transform((scopes) => [...new Set(scopes)])
      .describe('A subset of the scopes of the requesting key.'),
    tenant_id: tenantIdSchema
      .optional()
      .describe('Tenant that the key acts for; by default the tenant of the request.'),
    expires_at: z.iso
      .datetime({ offset: true })
      .refine(isUsualYear, 'must be before the year 10000')
      .nullable()
      .default(null)
      .describe('Expiry time; null: valid until revoked. Not later than the expiry of the requesting key.'),
  }),
  { name: 'the shop', scopes: ['executions:read', 'executions:write'] },
) {}

export class ApiKeyRotationDto extends createZodDto(
  z.strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(MAX_DAYS_OF_OVERLAP * DAY_SECONDS)
      .default(DAY_SECONDS)
      .describe('Seconds for which the old key stays valid beside the new one; 0: it is revoked at once.'),
  }),
  { overlap_seconds: 3_600 },
) {}

const nullableTime = z.iso.datetime().nullable();
const apiKeySchema = z.object({
  id: idSchema.describe('The public part of the key: `csk_<id>_…`.'),
  tenant_id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  status: z.enum(API_KEY_STATUSES),
  created_at: z.iso.datetime(),
  created_by: z.string().nullable().describe('Key that created it; null if created on the command line.'),
  expires_at: nullableTime.describe('Expiry time; null: valid until revoked.'),
  last_used_at: nullableTime.describe('Time of the last use, accurate to 5 minutes; null if never used.'),
  revoked_at: nullableTime,
  replaced_by: z.string().nullable().describe('Key that replaces it after a rotation.'),
});
const EXAMPLE: z.input<typeof apiKeySchema> = {
  id: '0f6c1d2b3a495867',
  tenant_id: 'default',
  name: 'the shop',
  scopes: ['executions:read', 'executions:write'],
  status: 'active',
  created_at: '2026-11-22T09:00:00.000Z',
  created_by: null,
  expires_at: null,
  last_used_at: '2026-11-22T09:05:00.000Z',
  revoked_at: null,
  replaced_by: null,
};
export class ApiKeyDto extends createZodDto(apiKeySchema, EXAMPLE) {}
export class ApiKeyPageDto extends createZodDto(pageSchema(apiKeySchema), pageExample(EXAMPLE)) {}
/** The answers that contain the key: creation and rotation. */
export class ApiKeyWithSecretDto extends createZodDto(
  apiKeySchema.extend({
    key: z.string().describe('`csk_<id>_<secret>`, to send as `Authorization: Bearer …`; shown once.'),
  }),
  { ...EXAMPLE, key: `csk_${EXAMPLE.id}_…` },
) {}

export class ApiKeyIdParams extends createZodDto(
  z.object({ id: idSchema.describe('The id of the key, its public part.') }),
) {}
export class ApiKeyListQuery extends createZodDto(
  pageQuerySchema(idSchema).extend({
    tenant_id: tenantIdSchema.optional().describe('Only keys of this tenant.'),
    status: z.enum(API_KEY_STATUSES).optional().describe('Only keys with this status.'),
  }),
) {}
