import type { StoredContext } from '#libs/executions';
import { readTenantSettings } from '#libs/policy';

/** An agent that can be run, in a conversation that has no messages; name what matters to your test. */
export function aStoredContext(overrides: Partial<StoredContext> = {}): StoredContext {
  return {
    agentIsActive: true,
    tenant: { isActive: true, systemPrompt: null, settings: readTenantSettings({}) },
    skills: [],
    agentVersion: 1,
    usecaseType: 'BASIC_CHAT',
    systemPrompt: null,
    config: {},
    tools: {},
    llm: {
      id: 1,
      tenantId: 'default',
      isActive: true,
      provider: 'scripted',
      model: 'a-model',
      extra: {},
      credentials: {},
      apiKeySealed: null,
      pricing: null,
    },
    preparation: null,
    messages: [],
    ...overrides,
  };
}
