import type { FieldFault } from '../../api/field-faults.js';
import type { AgentDraft } from '../draft/agent-draft.js';
import { CalledAgentsSection } from './called-agents-section.js';
import { GeneralSection } from './general-section.js';
import { KnowledgeSection } from './knowledge-section.js';
import { ParametersSection } from './parameters-section.js';
import { ToolsSection } from './tools-section.js';

/** Parts of the body whose faults the form shows where they belong. */
export const FORM_PLACES = [
  ['name'],
  ['usecase_type'],
  ['llm'],
  ['system_prompt'],
  ['config'],
  ['tools'],
] as const;

export interface SectionProps {
  /** Null for a new agent. */
  readonly agentId: number | null;
  readonly draft: AgentDraft;
  readonly faults: readonly FieldFault[];
  readonly onChange: (part: Partial<AgentDraft>) => void;
}

/** Everything of an agent that a person can change. */
export function AgentForm(props: SectionProps) {
  return (
    <>
      <GeneralSection {...props} />
      <ParametersSection {...props} />
      <ToolsSection {...props} />
      <KnowledgeSection {...props} />
      <CalledAgentsSection {...props} />
    </>
  );
}
