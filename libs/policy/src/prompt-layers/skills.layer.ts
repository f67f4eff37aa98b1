import { inTag, onOneLine, type PromptLayer } from './prompt-layer.js';

/** What models see of a skill before they read it. */
export interface ListedSkill {
  readonly name: string;
  readonly description: string;
}

/** The tool that gives the content of a skill. */
export const READ_SKILL = 'read_skill';

/** The active skills of the tenant by name and description (S4-7). */
export function skillsLayer(skills: readonly ListedSkill[]): PromptLayer {
  if (skills.length === 0) return null;
  return inTag('skills', [
    `Skills are instructions for certain tasks. Before a task that one of them fits, read it with the tool ${READ_SKILL}, and follow it:`,
    ...skills.map(({ name, description }) => `- ${name}: ${onOneLine(description)}`),
  ]);
}
