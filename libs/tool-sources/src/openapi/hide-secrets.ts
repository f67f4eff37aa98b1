import type { ServerCredentials } from '#libs/tooling';

/** Shorter ones are words that an answer may well have by itself. */
const SHORTEST_SECRET = 8;

/** Takes out of a text what was sent as a credential: some services repeat the request in their answer. */
export function hideSecrets(
  { headers, query, security }: ServerCredentials,
  sentTokens: ReadonlySet<string>,
): (text: string) => string {
  const sent = [...[headers, query, security].flatMap((values) => Object.values(values)), ...sentTokens];
  // Of `Bearer xyz` the second word is the secret; of `user:password` what a service decodes.
  const parts = sent.flatMap((value) => [
    value,
    ...value.split(/[\s:]+/),
    Buffer.from(value).toString('base64'),
  ]);
  const secrets = [...new Set(parts)]
    .filter((part) => part.length >= SHORTEST_SECRET)
    .sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}
