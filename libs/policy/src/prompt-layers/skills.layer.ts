import { inTag, onOneLine, type PromptLayer } from './prompt-layer.js';

/** A skill as listed in the prompt, before the model reads it. */
export interface ListedSkill {
  readonly name: string;
  readonly description: string;
}

/** Name of the tool that returns the content of a skill. */
export const READ_SKILL = 'read_skill';

/** The active skills of the tenant by name and description (S4-7). */
export function skillsLayer(skills: readonly ListedSkill[]): PromptLayer {
  if (skills.length === 0) return null;
  return inTag('skills', [
    `Skills are instructions for certain tasks. Before a task that one of them fits, read it with the tool ${READ_SKILL}, and follow it:`,
    ...skills.map(({ name, description }) => `- ${name}: ${onOneLine(description)}`),
  ]);
}
