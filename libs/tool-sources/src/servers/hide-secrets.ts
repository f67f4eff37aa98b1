import type { ServerCredentials } from '#libs/tooling';

/** Shorter ones are words that an answer may well have by itself. */
const SHORTEST_SECRET = 8;
const HIDDEN = '[redacted]';
/** Headers whose values are no secrets, and stand in answers by themselves. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set(['accept-language', 'user-agent']);

/**
 * Takes out of a text what was sent as a credential: some services repeat the request in their answer. Plain,
 * percent-encoded, in Base64 of both alphabets and as JSON writes it; what a service makes of it otherwise nobody can know
 * again. Null where nothing was sent that has to be hidden.
 *
 * @param accessTokens those that were sent along
 */
export function hideSecrets(
  credentials: ServerCredentials,
  accessTokens: ReadonlySet<string> = new Set(),
): ((text: string) => string) | null {
  const secrets = [...new Set([...sentIn(credentials), ...accessTokens].flatMap(partsOf))]
    .filter((part) => part.length >= SHORTEST_SECRET)
    .flatMap(writings)
    .sort((one, other) => other.length - one.length);
  if (secrets.length === 0) return null;
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

function sentIn({ headers, query, env, security, tokens = [] }: ServerCredentials): string[] {
  const secret = Object.entries(headers).filter(([name]) => !PLAIN_HEADERS.has(name.toLowerCase()));
  return [Object.fromEntries(secret), query, env, security]
    .flatMap((values) => Object.values(values))
    .concat(tokens);
}

/** Of `Bearer xyz` the second word is the secret, and of `user:password` either part may be. */
function partsOf(value: string): string[] {
  return [value, ...value.split(/[\s:]+/)];
}

function writings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    ...[encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)],
    ...[bytes.toString('base64'), bytes.toString('base64url')],
  ];
}
