import type { SecretPlace } from './secret-box.js';

/** Where the key of a model configuration belongs. */
export function llmKeyPlace(tenantId: string, llmId: number): SecretPlace {
  return `${tenantId}/llm/${llmId}/api_key`;
}

/** Where the secrets of a webhook endpoint belong, the one in use and the one that it replaces. */
export function webhookSecretPlace(tenantId: string, endpointId: number): SecretPlace {
  return `${tenantId}/webhook_endpoint/${endpointId}/secret`;
}
