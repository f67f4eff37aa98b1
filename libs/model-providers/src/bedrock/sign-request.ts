import { AwsV4Signer } from 'aws4fetch';
import type { UnsignedRequest } from '../calls/connection.js';
import type { BedrockKey } from './bedrock-key.js';

/** The headers of a request with its signature (SigV4). */
export async function signRequest(
  { method, url, headers, body }: UnsignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: Extract<BedrockKey, { kind: 'signing' }>,
  region: string,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    ...{ method, url, headers, accessKeyId, secretAccessKey, region, service: 'bedrock' },
    ...(body !== null && { body }),
    ...(sessionToken !== null && { sessionToken }),
  });
  const signed = await signer.sign();
  return Object.fromEntries(new Headers(signed.headers));
}
