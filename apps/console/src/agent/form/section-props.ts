import type { FieldFault } from '../../api/form-faults.js';
import type { AgentDraft } from '../draft/agent-draft.js';

/** The draft of an agent, for each section of its form. */
export interface SectionProps {
  /** Null for a new agent. */
  readonly agentId: number | null;
  readonly draft: AgentDraft;
  readonly faults: readonly FieldFault[];
  readonly onChange: (part: Partial<AgentDraft>) => void;
}
