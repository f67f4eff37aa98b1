import type { ServerCredentials } from '#libs/tooling';
import { hideParts } from './hide-parts.js';

/** Shorter ones are words that an answer may well have by itself. */
const SHORTEST_SECRET = 8;
const HIDDEN = '[redacted]';
/** Headers whose values are no secrets, and stand in answers by themselves. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set(['accept-language', 'user-agent']);

type Sent = ServerCredentials & Required<Pick<ServerCredentials, 'tokens'>>;

/**
 * Takes out of a text what was sent as a credential: some services repeat the request in their answer. Plain,
 * percent-encoded, in Base64 of both alphabets and as JSON writes it, and of what is nothing but a secret also a part, as of
 * a text that was cut; what a service makes of it otherwise nobody can know again. Null where nothing was sent that has to
 * be hidden.
 *
 * @param accessTokens those that were sent along
 */
export function hideSecrets(
  credentials: ServerCredentials,
  accessTokens: ReadonlySet<string> = new Set(),
): ((text: string) => string) | null {
  const sent = { ...credentials, tokens: [...(credentials.tokens ?? []), ...accessTokens] };
  // The longest first, so that none is hidden that another one holds.
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

/** What is nothing but a secret: of an address others may well have a part. */
function secretsAloneIn({ headers, security, tokens }: Sent): string[] {
  const authorization = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'authorization');
  return [...tokens, ...Object.values(security), ...authorization.map(([, value]) => value)];
}

/** Of `Bearer xyz` the second word is the secret, and of `user:password` either part may be. */
function partsOf(value: string): string[] {
  return [value, ...value.split(/[\s:]+/)];
}

/** As a service may write them: all of them plain first. */
function writingsOf(values: readonly string[]): string[] {
  const secrets = values.flatMap(partsOf).filter((part) => part.length >= SHORTEST_SECRET);
  return [...new Set(WRITINGS.flatMap((write) => secrets.map(write)))];
}

const WRITINGS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  encodeURIComponent,
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(secret).toString('base64url'),
];
