import { agentPromptLayer, type AgentPrompt } from './agent-prompt.layer.js';
import { memoryLayer } from './memory.layer.js';
import { preferredSkillsLayer } from './preferred-skills.layer.js';
import { skillsLayer, type ListedSkill } from './skills.layer.js';
import { summaryLayer } from './summary.layer.js';
import { tenantPromptLayer } from './tenant-prompt.layer.js';
import { toolServersLayer, type DescribedServer } from './tool-servers.layer.js';
import { workspaceLayer, type Workspace } from './workspace.layer.js';

/** Everything that a system prompt is made of. */
export interface PromptParts {
  readonly preferredSkills: readonly string[];
  readonly tenantPrompt: string | null;
  readonly agent: AgentPrompt;
  readonly workspace: Workspace | null;
  readonly skills: readonly ListedSkill[];
  readonly toolServers?: readonly DescribedServer[];
  readonly memories?: readonly string[];
  readonly summary?: string | null;
}

/**
 * The system prompt, its layers in the decided order with a blank line between: what the request asks for first, the
 * organisation, the agent, then what is there to work with, then what is known from before. Null where there is no layer.
 */
export function composePrompt(parts: PromptParts): string | null {
  const layers = [
    preferredSkillsLayer(parts.preferredSkills),
    tenantPromptLayer(parts.tenantPrompt),
    agentPromptLayer(parts.agent),
    workspaceLayer(parts.workspace),
    skillsLayer(parts.skills),
    toolServersLayer(parts.toolServers ?? []),
    memoryLayer(parts.memories ?? []),
    summaryLayer(parts.summary ?? null),
  ].filter((layer) => layer !== null && layer.trim() !== '');
  return layers.length === 0 ? null : layers.join('\n\n');
}
