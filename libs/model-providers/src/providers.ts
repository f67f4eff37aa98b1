import { compatibleProvider } from './openai-compatible/compatible-provider.js';
import { openAiProvider } from './openai/openai-provider.js';
import { ProviderRegistry } from './provider/provider-registry.js';

/** Every provider of this release. A new one is one folder and one word here: docs/contributing/playbooks/provider.md. */
export const modelProviders = new ProviderRegistry([openAiProvider, compatibleProvider]);
