import { CalledAgentsSection } from './called-agents-section.js';
import { GeneralSection } from './general-section.js';
import { KnowledgeSection } from './knowledge-section.js';
import { ParametersSection } from './parameters-section.js';
import type { SectionProps } from './section-props.js';
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
