import {
  type AgentPrompt,
  agentPromptLayer,
  type DescribedServer,
  type ListedSkill,
  preferredSkillsLayer,
  skillsLayer,
  summaryLayer,
  toolServersLayer,
} from './prompt-layers.js';
import { memoryLayer } from './memory.layer.js';
import type { PromptLayer } from './prompt-layer.js';
import { workspaceLayer, type Workspace } from './workspace.layer.js';

/** All parts of a system prompt. */
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

/** One part of a composed prompt, with its name in the audit. */
export interface ComposedLayer {
  readonly name:
    'preferred_skills' | 'tenant' | 'agent' | 'workspace' | 'skills' | 'tool_servers' | 'memory' | 'summary';
  readonly text: string;
}

export interface ComposedPrompt {
  /** The layers, separated by blank lines; null without layers. */
  readonly text: string | null;
  /** The layers of this execution, in order. */
  readonly layers: readonly ComposedLayer[];
}

/**
 * Composes the system prompt in a fixed order: skills that the request prefers, organisation, agent, available
 * resources, then knowledge from before.
 */
export function composePrompt(parts: PromptParts): ComposedPrompt {
  const layers = [
    layer('preferred_skills', preferredSkillsLayer(parts.preferredSkills)),
    layer('tenant', parts.tenantPrompt),
    layer('agent', agentPromptLayer(parts.agent)),
    layer('workspace', workspaceLayer(parts.workspace)),
    layer('skills', skillsLayer(parts.skills)),
    layer('tool_servers', toolServersLayer(parts.toolServers ?? [])),
    layer('memory', memoryLayer(parts.memories ?? [])),
    layer('summary', summaryLayer(parts.summary ?? null)),
  ].flat();
  const text = layers.length === 0 ? null : layers.map((each) => each.text).join('\n\n');
  return { text, layers };
}

function layer(name: ComposedLayer['name'], text: PromptLayer): ComposedLayer[] {
  return text === null || text.trim() === '' ? [] : [{ name, text }];
}
