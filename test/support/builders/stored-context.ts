import type { StoredContext, StoredLlm, StoredTenant } from '#libs/executions';
import { readTenantSettings } from '#libs/policy';

export function aStoredLlm(overrides: Partial<StoredLlm> = {}): StoredLlm {
  return {
    id: 1,
    tenantId: 'default',
    isActive: true,
    provider: 'openai',
    model: 'a-model',
    extra: {},
    credentials: {},
    apiKeySealed: null,
    pricing: null,
    ...overrides,
  };
}

export function aStoredTenant(overrides: Partial<StoredTenant> = {}): StoredTenant {
  return { isActive: true, systemPrompt: null, settings: readTenantSettings({}), ...overrides };
}

/** An active agent with a prompt, in a new conversation. */
export function aStoredContext(overrides: Partial<StoredContext> = {}): StoredContext {
  return {
    agentIsActive: true,
    agentVersion: 1,
    tenant: aStoredTenant(),
    skills: [],
    memories: [],
    preparation: null,
    usecaseType: 'BASIC_CHAT',
    systemPrompt: 'Be brief.',
    config: {},
    tools: {},
    llm: aStoredLlm(),
    messages: [],
    hasOlder: false,
    hasForeignHistory: false,
    summary: null,
    ...overrides,
  };
}
