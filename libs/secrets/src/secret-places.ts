import type { SecretPlace } from './secret-box.js';

/** Where the key of a model configuration belongs. */
export function llmKeyPlace(tenantId: string, llmId: number): SecretPlace {
  return `${tenantId}/llm/${llmId}/api_key`;
}
