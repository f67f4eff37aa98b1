import type { SecretPlace } from './secret-box.js';

/** Place of a model configuration's API key. */
export function llmKeyPlace(tenantId: string, llmId: number): SecretPlace {
  return `${tenantId}/llm/${llmId}/api_key`;
}

/**
 * Place of a webhook endpoint's current and previous secret; without an endpoint, of the secrets that sign the webhooks
 * of the tenant's executions.
 */
export function webhookSecretPlace(tenantId: string, endpointId: number | null): SecretPlace {
  if (endpointId === null) return `${tenantId}/webhook_signing_secret/secret`;
  return `${tenantId}/webhook_endpoint/${endpointId}/secret`;
}

/** Place of a request's secret: its execution and name. */
export function executionTokenPlace(tenantId: string, executionId: string, name: string): SecretPlace {
  return `${tenantId}/execution/${executionId}/token/${name}`;
}

/** Place of the stored response to a request with an idempotency key. */
export function keptAnswerPlace(tenantId: string, key: string): SecretPlace {
  return `${tenantId}/kept_answer/${key}`;
}

/** Place of the literal texts in a tool server's configuration. */
export function toolServerPlace(tenantId: string, serverId: string): SecretPlace {
  return `${tenantId}/tool_server/${serverId}/literals`;
}

/** Place of an authorization server's `token` or `client` for a tool server. */
export function toolServerOAuthPlace(tenantId: string, serverId: string, kind: string): SecretPlace {
  return `${tenantId}/tool_server/${serverId}/oauth/${kind}`;
}

/** Place of a person's connection: its tokens and pending authorization. */
export function connectionPlace(tenantId: string, connectionId: string): SecretPlace {
  return `${tenantId}/connection/${connectionId}`;
}

/** Place of the tokens of a tool trial. */
export function toolTrialPlace(tenantId: string, trialId: string): SecretPlace {
  return `${tenantId}/tool_trial/${trialId}/tokens`;
}

/** Place of a secret that a domain stores for a tenant. */
export function domainSecretPlace(tenantId: string, name: string): SecretPlace {
  return `${tenantId}/domain_secret/${name}`;
}
