import { z } from 'zod';
import { SCOPES } from '#libs/persistence';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const MAX_KEY_LENGTH = 200;

export class SignInDto extends createZodDto(
  z.strictObject({
    api_key: z
      .string()
      .min(1)
      .max(MAX_KEY_LENGTH)
      .describe('`csk_<id>_<secret>`; the session gets its scopes. The key itself is not stored.'),
  }),
  { api_key: 'csk_0f6c1d2b3a495867_…' },
) {}

const sessionSchema = z.object({
  id: z.uuid(),
  tenant_id: z.string().describe('Tenant of its key.'),
  key_id: z.string().describe('The public part of the key that it was signed in with.'),
  key_name: z.string(),
  scopes: z.array(z.string()).describe('Current scopes of the key.'),
  created_at: z.iso.datetime(),
  expires_at: z.iso
    .datetime()
    .describe('12 hours after `created_at`, or the expiry of the key if that is earlier.'),
  is_current: z.boolean().describe('Whether this is the session of the request.'),
});
const SESSION_EXAMPLE: z.input<typeof sessionSchema> = {
  id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01',
  tenant_id: 'default',
  key_id: '0f6c1d2b3a495867',
  key_name: 'operators',
  scopes: ['executions:read', 'approvals:decide'],
  created_at: '2026-11-22T09:00:00.000Z',
  expires_at: '2026-11-22T21:00:00.000Z',
  is_current: true,
};
export type ConsoleSessionAnswer = z.infer<typeof sessionSchema>;
export class ConsoleSessionDto extends createZodDto(sessionSchema, SESSION_EXAMPLE) {}
export class ConsoleSessionPageDto extends createZodDto(
  pageSchema(sessionSchema),
  pageExample(SESSION_EXAMPLE),
) {}

const callerSchema = z.object({
  auth: z
    .enum(['off', 'api-key'])
    .describe('`off`: no key is needed and there are no sessions; fields about them are null.'),
  tenant_id: z.string().describe('The tenant that the request acts for.'),
  scopes: z.array(z.string()).describe('Scopes of the key; all of them with `AUTH=off`.'),
  key_id: z.string().nullable().describe('The public part of the key.'),
  key_name: z.string().nullable(),
  session_id: z.uuid().nullable().describe('Id of the session; null if the request was sent with a key.'),
  expires_at: z.iso
    .datetime()
    .nullable()
    .describe('Expiry of the session, or of the key without a session; null: none.'),
});
export type CallerAnswer = z.infer<typeof callerSchema>;
export class CallerDto extends createZodDto(callerSchema, {
  auth: 'api-key',
  tenant_id: 'default',
  scopes: [SCOPES[1], SCOPES[2]],
  key_id: '0f6c1d2b3a495867',
  key_name: 'operators',
  session_id: SESSION_EXAMPLE.id,
  expires_at: SESSION_EXAMPLE.expires_at,
}) {}

export class ConsoleSessionIdParams extends createZodDto(
  z.object({ id: uuidSchema.describe('Id of a session from the list.') }),
) {}
export class ConsoleSessionListQuery extends createZodDto(pageQuerySchema(uuidSchema)) {}
