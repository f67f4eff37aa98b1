/** A key of Amazon Bedrock: one of its API keys, or keys that sign requests. */
export type BedrockKey =
  | { readonly kind: 'bearer' }
  | {
      readonly kind: 'signing';
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      /** Null for lasting keys. */
      readonly sessionToken: string | null;
    };

/** Reads `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, with `:SESSION_TOKEN` for temporary keys; anything else is an API key. */
export function readBedrockKey(key: string): BedrockKey {
  const [accessKeyId = '', secretAccessKey, sessionToken = null, ...more] = key.split(':');
  if (secretAccessKey === undefined || more.length > 0 || accessKeyId === '') return { kind: 'bearer' };
  return { kind: 'signing', accessKeyId, secretAccessKey, sessionToken };
}
