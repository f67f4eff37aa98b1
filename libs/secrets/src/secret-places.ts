import type { SecretPlace } from './secret-box.js';

/** Where the key of a model configuration belongs. */
export function llmKeyPlace(tenantId: string, llmId: number): SecretPlace {
  return `${tenantId}/llm/${llmId}/api_key`;
}

/**
 * Where the secrets of a webhook endpoint belong, the one in use and the one that it replaces; without an endpoint those
 * that sign the webhooks of the tenant's executions.
 */
export function webhookSecretPlace(tenantId: string, endpointId: number | null): SecretPlace {
  if (endpointId === null) return `${tenantId}/webhook_signing_secret/secret`;
  return `${tenantId}/webhook_endpoint/${endpointId}/secret`;
}

/** Where a secret of one request belongs: in its execution, under its name. */
export function executionTokenPlace(tenantId: string, executionId: string, name: string): SecretPlace {
  return `${tenantId}/execution/${executionId}/token/${name}`;
}

/** Where the answer to a request under an idempotency key belongs. */
export function keptAnswerPlace(tenantId: string, key: string): SecretPlace {
  return `${tenantId}/kept_answer/${key}`;
}

/** Where the texts belong that a tenant wrote into the configuration of a tool server. */
export function toolServerPlace(tenantId: string, serverId: string): SecretPlace {
  return `${tenantId}/tool_server/${serverId}/literals`;
}

/** Where that belongs which an authorization server has given a tenant for a tool server: a `token`, or a `client`. */
export function toolServerOAuthPlace(tenantId: string, serverId: string, kind: string): SecretPlace {
  return `${tenantId}/tool_server/${serverId}/oauth/${kind}`;
}

/** Where the tokens of a person's connection belong, and what is under way with it. */
export function connectionPlace(tenantId: string, connectionId: string): SecretPlace {
  return `${tenantId}/connection/${connectionId}`;
}

/** Where the tokens belong that somebody tries a tool with. */
export function toolTrialPlace(tenantId: string, trialId: string): SecretPlace {
  return `${tenantId}/tool_trial/${trialId}/tokens`;
}

/** Where a secret belongs that a domain keeps for a tenant. */
export function domainSecretPlace(tenantId: string, name: string): SecretPlace {
  return `${tenantId}/domain_secret/${name}`;
}
