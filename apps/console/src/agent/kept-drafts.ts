import type { AgentVersion } from '../api/types.js';
import type { AgentDraft } from './draft/agent-draft.js';

interface KeptDraft {
  /** Version that the draft was made from; null for a new agent. */
  readonly base: AgentVersion | null;
  readonly draft: AgentDraft;
}

/**
 * Unsaved drafts of this page, by agent: a session that ends takes the screen away, and the next sign-in finds the draft
 * here. Nothing of it is stored.
 */
export const keptDrafts = new Map<number | 'new', KeptDraft>();
