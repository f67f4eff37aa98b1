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
      .describe('`csk_<id>_<secret>`, whose scopes the session has. It is compared, and kept nowhere.'),
  }),
  { api_key: 'csk_0f6c1d2b3a495867_…' },
) {}

const sessionSchema = z.object({
  id: z.uuid(),
  tenant_id: z.string().describe('That of its key.'),
  key_id: z.string().describe('The public part of the key that it was signed in with.'),
  key_name: z.string(),
  scopes: z.array(z.string()).describe('Those of the key, as they are now.'),
  created_at: z.iso.datetime(),
  expires_at: z.iso
    .datetime()
    .describe('12 hours after `created_at`, or when the key ends where that is sooner.'),
  is_current: z.boolean().describe('Whether it is the session of this request.'),
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
    .describe(
      '`off`: no key is asked for, and there are no sessions; the fields that are about them are null.',
    ),
  tenant_id: z.string().describe('The tenant that the request acts for.'),
  scopes: z.array(z.string()).describe('What it may do: of the key, or all of them where none is asked for.'),
  key_id: z.string().nullable().describe('The public part of the key.'),
  key_name: z.string().nullable(),
  session_id: z.uuid().nullable().describe('Null where the request came with a key and not with a session.'),
  expires_at: z.iso
    .datetime()
    .nullable()
    .describe('The end of the session, or of the key where there is no session; null: none.'),
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
  z.object({ id: uuidSchema.describe('The id of a session, as the list of them shows it.') }),
) {}
export class ConsoleSessionListQuery extends createZodDto(pageQuerySchema(uuidSchema)) {}
