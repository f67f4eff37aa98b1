import type { ServerCredentials } from '#libs/tooling';
import { hideParts } from './hide-parts.js';

/** Shorter values may occur in an answer by chance. */
const MIN_SECRET = 8;
const HIDDEN = '[redacted]';
/** Headers without secret values, which may occur in answers by chance. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set(['accept-language', 'user-agent']);

type Sent = ServerCredentials & Required<Pick<ServerCredentials, 'tokens'>>;

/**
 * Redacts sent credentials from a text, because some services repeat the request in their answer. Covers plain,
 * percent-encoded, JSON-escaped and Base64 (both alphabets) forms, and truncated parts of values that consist of a
 * secret only. Other transformations are not detected. Null if nothing secret was sent.
 *
 * @param accessTokens access tokens sent
 */
export function hideSecrets(
  credentials: ServerCredentials,
  accessTokens: ReadonlySet<string> = new Set(),
): ((text: string) => string) | null {
  const sent = { ...credentials, tokens: [...(credentials.tokens ?? []), ...accessTokens] };
  // Longest first, because a secret may contain another one.
  const secrets = writingsOf(valuesIn(sent)).sort((one, other) => other.length - one.length);
  if (secrets.length === 0) return null;
  const withoutParts = hideParts(writingsOf(secretsAloneIn(sent)), HIDDEN);
  return (text) => withoutParts(secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text));
}

function valuesIn({ headers, query, env, security, tokens }: Sent): string[] {
  const secret = Object.entries(headers).filter(([name]) => !PLAIN_HEADERS.has(name.toLowerCase()));
  return [Object.fromEntries(secret), query, env, security]
    .flatMap((values) => Object.values(values))
    .concat(tokens);
}

/** Values that consist of a secret only; parts of other values, such as URLs, may occur by chance. */
function secretsAloneIn({ headers, security, tokens }: Sent): string[] {
  const authorization = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'authorization');
  return [...tokens, ...Object.values(security), ...authorization.map(([, value]) => value)];
}

/** Includes the token of `Bearer xyz` and both parts of `user:password`. */
function partsOf(value: string): string[] {
  return [value, ...value.split(/[\s:]+/)];
}

/** All spellings of the secrets, plain ones first. */
function writingsOf(values: readonly string[]): string[] {
  const secrets = values.flatMap(partsOf).filter((part) => part.length >= MIN_SECRET);
  return [...new Set(WRITINGS.flatMap((write) => secrets.map(write)))];
}

const WRITINGS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  encodeURIComponent,
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(secret).toString('base64url'),
];
