import { anthropicProvider } from './anthropic/anthropic-provider.js';
import { bedrockProvider } from './bedrock/bedrock-provider.js';
import { claudeAgentProvider } from './claude-agent-sdk/claude-agent-provider.js';
import { compatibleProvider } from './openai-compatible/compatible-provider.js';
import { openAiProvider } from './openai/openai-provider.js';
import { ProviderRegistry } from './provider/provider-registry.js';

/** All providers of this release. To add one, see docs/contributing/playbooks/provider.md. */
export const modelProviders = new ProviderRegistry([
  openAiProvider,
  compatibleProvider,
  anthropicProvider,
  bedrockProvider,
  claudeAgentProvider,
]);
