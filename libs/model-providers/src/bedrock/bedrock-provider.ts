import { messagesParameters } from '../wire/messages/messages-parameters.js';
import { ClientProvider } from '../calls/client-provider.js';
import { bedrockCredentials, regionOf } from './bedrock-credentials.js';
import { readBedrockKey } from './bedrock-key.js';
import { BEDROCK_ALIASES, BEDROCK_MODELS } from './bedrock-models.js';
import { bedrockProtocol } from './bedrock-protocol.js';
import { signRequest } from './sign-request.js';

/** URL of Bedrock in a region. */
export function bedrockHome(region: string): string {
  return `https://bedrock-runtime.${region}.amazonaws.com`;
}

/** Claude on Amazon Bedrock. */
export const bedrockProvider = new ClientProvider({
  id: 'bedrock',
  label: 'Amazon Bedrock (Claude)',
  credentials: bedrockCredentials,
  parameters: messagesParameters,
  models: BEDROCK_MODELS,
  aliases: BEDROCK_ALIASES,
  protocolFor: () => bedrockProtocol,
  listing: { path: '/inference-profiles', field: 'inferenceProfileSummaries' },
  // A key may be allowed to ask models, but not to list them.
  toleratedFailures: ['model_not_found', 'permission_denied'],
  listingBaseFor: (baseUrl) => baseUrl.replace('//bedrock-runtime', '//bedrock'),
  addressFor: ({ apiKey, baseUrl, options }) => {
    const region = regionOf(options, baseUrl);
    const home = bedrockHome(region);
    const key = apiKey === null ? null : readBedrockKey(apiKey);
    if (key?.kind !== 'signing') return { home };
    return { home, headers: { Authorization: null }, sign: (request) => signRequest(request, key, region) };
  },
});
