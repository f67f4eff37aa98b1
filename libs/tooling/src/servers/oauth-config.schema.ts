import { z } from 'zod';

/** Signature algorithms for client assertions (RFC 7523), as far as the OAuth library supports them. */
const KEY_ALGORITHMS = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512'] as const),
] as const;

const ISSUER_WORDS = 'must be the https address of the authorization server, without query and fragment';
const issuer = z
  .url({ protocol: /^https?$/, error: ISSUER_WORDS })
  .max(2_048, 'must have at most 2048 characters')
  .refine((text) => !/[?#]|^[^/]*\/\/[^/]*@/.test(text), ISSUER_WORDS)
  .describe('The authorization server. What a client is known by goes there, and nowhere else.');

const scope = z
  .string('must be a text')
  .max(2_048, 'must have at most 2048 characters')
  .regex(
    /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    'must be words with single spaces between',
  )
  .describe(
    'What is asked for. Where it is given, never more; where it is not, what the server says that it needs.',
  );

const printable = (what: string) =>
  z
    .string('must be a text')
    .min(1, 'must not be empty')
    .max(8_192, 'must have at most 8192 characters')
    .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII')
    .describe(what);

const clientId = printable('What the authorization server calls us.');
/** Sent in the `Authorization` header (RFC 6749 2.3.1), where a colon separates id and secret. */
const basicClientId = clientId.regex(/^[^:]+$/, 'must not have a colon');

const PRIVATE_KEY_WORDS = 'must be a private key as PEM (PKCS #8): -----BEGIN PRIVATE KEY-----';
const privateKey = z
  .string(PRIVATE_KEY_WORDS)
  .max(16_384, 'must have at most 16384 characters')
  .regex(/^-----BEGIN PRIVATE KEY-----[\sA-Za-z0-9+/=]+-----END PRIVATE KEY-----\s*$/, PRIVATE_KEY_WORDS);

const bySecret = {
  client_auth: z.enum(['client_secret_basic', 'client_secret_post']),
  client_id: basicClientId,
  client_secret: printable('What proves it; sealed.'),
};
const byKey = {
  client_auth: z.literal('private_key_jwt'),
  client_id: clientId,
  key_algorithm: z.enum(KEY_ALGORITHMS, `must be one of ${KEY_ALGORITHMS.join(', ')}`),
  private_key: privateKey.describe('What signs the assertions of the client; sealed.'),
};

/** The service itself is the client, for every executor (RFC 6749 4.4). */
const clientCredentials = {
  type: z.literal('oauth', 'must be oauth'),
  grant: z.literal('client_credentials'),
  issuer,
  scope: scope.optional(),
};

/** A person consents once; runs on that person's behalf use the resulting connection (RFC 6749 4.1 with PKCE). */
const authorizationCode = {
  type: z.literal('oauth', 'must be oauth'),
  grant: z.literal('authorization_code'),
  scope: scope.optional(),
  redirect_uri: z
    .url({ protocol: /^https?$/, error: 'must be an https address' })
    .max(2_048, 'must have at most 2048 characters')
    .refine(
      (text) => /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(text),
      'must be an https address',
    )
    .refine((text) => !/#|^[^/]*\/\/[^/]*@/.test(text), 'must have no fragment, user name or password')
    .describe(
      'Where the tenant’s own page takes the answer of the authorization server, to pass it on to us.',
    ),
};

/**
 * The service registers the client at the authorization server: by a metadata document (CIMD), or dynamically (RFC
 * 7591).
 */
const registered = {
  client_auth: z.literal('registered'),
  issuer: issuer.optional(),
  client_metadata_url: z
    .url({ protocol: /^https$/, error: 'must be an https address with a path' })
    .max(2_048, 'must have at most 2048 characters')
    .optional()
    .describe(
      'Where the tenant describes the client, for authorization servers that take such an address as its name.',
    ),
};

/** OAuth configuration (2.1) of a server, by grant type and by client authentication method. */
export const oauthSchema = z.discriminatedUnion('grant', [
  z.discriminatedUnion('client_auth', [
    z.strictObject({ ...clientCredentials, ...bySecret }),
    z.strictObject({ ...clientCredentials, ...byKey }),
  ]),
  z.discriminatedUnion('client_auth', [
    z.strictObject({ ...authorizationCode, issuer, ...bySecret }),
    z.strictObject({ ...authorizationCode, issuer, ...byKey }),
    z.strictObject({ ...authorizationCode, issuer, client_auth: z.literal('none'), client_id: clientId }),
    z.strictObject({ ...authorizationCode, ...registered }),
  ]),
]);

export type OAuthConfig = z.infer<typeof oauthSchema>;
