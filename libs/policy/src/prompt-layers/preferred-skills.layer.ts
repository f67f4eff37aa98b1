import { SKILL_NAME } from '../skill-name.js';
import { inTag, type PromptLayer } from './prompt-layer.js';

/** The layer of skills that a request prefers (S4-7). Names are trimmed; invalid ones are dropped (3.I-7). */
export function preferredSkillsLayer(names: readonly string[]): PromptLayer {
  const usable = [...new Set(names.map((name) => name.trim()).filter((name) => SKILL_NAME.test(name)))];
  if (usable.length === 0) return null;
  return inTag('preferred_skills', [
    'Wherever they fit the request, use these skills before any other way of doing it:',
    usable.join(', '),
  ]);
}
