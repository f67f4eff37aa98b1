import type { DraftField } from './draft/agent-draft.js';

/** Names of the fields of an agent for people. */
export const FIELD_WORDS: Readonly<Record<DraftField | 'is_active', string>> = {
  name: 'name',
  usecase_type: 'type',
  llm: 'model configuration',
  system_prompt: 'instruction',
  config: 'parameters',
  tools: 'tools',
  is_active: 'state',
};
