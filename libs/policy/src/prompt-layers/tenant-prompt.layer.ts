import type { PromptLayer } from './prompt-layer.js';

/** The organisation's own prompt for all its agents (S4-6). */
export function tenantPromptLayer(systemPrompt: string | null): PromptLayer {
  return systemPrompt;
}
