import type { PromptLayer } from './prompt-layer.js';

/** What the organisation says to each of its agents (S4-6). */
export function tenantPromptLayer(systemPrompt: string | null): PromptLayer {
  return systemPrompt;
}
