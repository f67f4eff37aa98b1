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
  .describe('The consenting user: `executor.user_id` of the requests on their behalf.');
const status = z
  .enum(CONNECTION_STATUSES)
  .describe(
    '`pending`: the user has not consented yet. `needs_reconnect`: the tokens are no longer accepted, see `reason`. `revoked`: the consent was withdrawn.',
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
      '`refused`: the authorization server refused; `expired`: the token expired and has no refresh token; `refresh_lost`: a worker died during the refresh. Otherwise null.',
    ),
  scope: z.string().nullable().describe('Granted scopes, if the authorization server reports them.'),
  missing_scope: z
    .string()
    .nullable()
    .describe('Scopes that the tool server needs in addition; requested when the user reconnects.'),
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
  authorize_url: z.url().describe('URL to open in the browser of this user only; valid for ten minutes.'),
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
      state: answerText.describe('The `state` of the redirect; valid once, for ten minutes.'),
      code: answerText.optional(),
      iss: answerText.optional().describe('Issuer of the answer (RFC 9207).'),
      error: answerText.optional(),
      error_description: answerText.optional().describe('Text of the authorization server; ignored.'),
      error_uri: answerText.optional().describe('Text of the authorization server; ignored.'),
      user_id: userId
        .optional()
        .describe(
          'The user signed in on the page of the `redirect_uri`; must be the user of the connection.',
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
    server_id: uuidSchema.optional().describe('Only connections to this tool server.'),
    user_id: userId.optional().describe('Only connections of this user.'),
    status: status.optional().describe('Only connections with this status.'),
  }),
) {}
