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
      .describe('The person that it acts for; that of the request by default.'),
    expires_at: z.iso
      .datetime({ offset: true })
      .refine(isUsualYear, 'must be before the year 10000')
      .nullable()
      .default(null)
      .describe(
        'It is good before this time; null: until it is revoked. Not later than the end of the key of this request.',
      ),
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
      .describe('For how long the key before it is good beside the new one; 0: it ends at once.'),
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
  created_by: z.string().nullable().describe('The key that made it; null where the command line did.'),
  expires_at: nullableTime.describe('It is good before this time; null: until it is revoked.'),
  last_used_at: nullableTime.describe('Up to 5 minutes behind; null when it was never used.'),
  revoked_at: nullableTime,
  replaced_by: z.string().nullable().describe('The key that a rotation made in its place.'),
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
    tenant_id: tenantIdSchema.optional().describe('Only those of this tenant.'),
    status: z.enum(API_KEY_STATUSES).optional().describe('Only those with this status.'),
  }),
) {}
