import { z } from 'zod';
import { CONNECTION_STATUSES } from '#libs/persistence';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const userId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\u0000-\u001f\u007f]+$/, 'must not have control characters')
  .describe('The user who agrees: `executor.user_id` of the requests that are made on their behalf.');
const status = z
  .enum(CONNECTION_STATUSES)
  .describe(
    '`pending`: the user has not agreed yet. `needs_reconnect`: the tokens are taken no more, `reason` says why. `revoked`: taken back.',
  );

const connectionSchema = z.object({
  id: z.uuid(),
  server_id: z.uuid().describe('The tool server that is used on behalf of the user.'),
  user_id: userId,
  status,
  reason: z
    .string()
    .nullable()
    .describe(
      '`refused`: by the authorization server; `expired`: there is nothing to renew it by; `refresh_lost`: a worker died while it was renewed. Null where there is nothing to say.',
    ),
  scope: z
    .string()
    .nullable()
    .describe('Scopes that were granted, where the authorization server says them.'),
  missing_scope: z
    .string()
    .nullable()
    .describe(
      'Scopes that the tool server wanted beyond these; they are asked for when the user connects again.',
    ),
  connected_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof connectionSchema> = {
  ...{ id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e03', server_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e02' },
  ...{ user_id: 'u-17', status: 'connected', reason: null, scope: 'crm:read', missing_scope: null },
  connected_at: '2026-11-22T09:01:00.000Z',
  created_at: '2026-11-22T09:00:00.000Z',
  updated_at: '2026-11-22T09:01:00.000Z',
};
export class ConnectionDto extends createZodDto(connectionSchema, EXAMPLE) {}
export class ConnectionPageDto extends createZodDto(pageSchema(connectionSchema), pageExample(EXAMPLE)) {}

const begunSchema = connectionSchema.extend({
  authorize_url: z.url().describe('Where the browser of just this user is to be sent, within ten minutes.'),
});
export class BegunConnectionDto extends createZodDto(begunSchema, {
  ...{ ...EXAMPLE, status: 'pending', scope: null, connected_at: null },
  authorize_url: 'https://auth.example.com/authorize?response_type=code&client_id=capstan&state=4mJm0VY1',
}) {}
export type BegunConnection = z.infer<typeof begunSchema>;

export class NewConnectionDto extends createZodDto(
  z.strictObject({
    server_id: uuidSchema.describe('A tool server whose `auth` has the grant `authorization_code`.'),
    user_id: userId,
  }),
  { server_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e02', user_id: 'u-17' },
) {}

const answerText = z.string().min(1).max(4_096);
/** Parameters of the `redirect_uri`, exactly as the authorization server sent the browser back with them. */
export class ConnectionAnswerDto extends createZodDto(
  z
    .strictObject({
      state: answerText.describe('Found once, for ten minutes.'),
      code: answerText.optional(),
      iss: answerText.optional().describe('Which authorization server answers (RFC 9207).'),
      error: answerText.optional(),
      error_description: answerText.optional().describe('Ignored.'),
      error_uri: answerText.optional().describe('Ignored.'),
      user_id: userId
        .optional()
        .describe(
          'The user who is signed in where the browser came back: only their own connection is made.',
        ),
    })
    .refine(({ code, error }) => (code === undefined) !== (error === undefined), {
      path: ['code'],
      error: 'either `code` or `error` is required',
    }),
  { state: 'b7Xk…', code: 'SplxlOBeZQQYbYS6WxSbIA', iss: 'https://auth.example.com', user_id: 'u-17' },
) {}

export class ConnectionIdParams extends createZodDto(
  z.object({ id: uuidSchema.describe('The id of the connection.') }),
) {}
export class ConnectionListQuery extends createZodDto(
  pageQuerySchema(z.uuid()).extend({
    server_id: uuidSchema.optional().describe('Only those to this tool server.'),
    user_id: userId.optional().describe('Only those of this user.'),
    status: status.optional().describe('Only those of this status.'),
  }),
) {}
