import type { Agent, AnyTool } from '#libs/kit';
import { findConfusable } from '#libs/tooling';

/** Sorts of parts, as sentences name them. */
export type PartSort = 'tool' | 'agent' | 'pipeline';

/** Why a name cannot stand beside the earlier ones; null if it can. */
export function nameFault(
  sort: PartSort,
  name: string,
  earlier: readonly { readonly name: string }[],
): string | null {
  const names = earlier.map((each) => each.name);
  if (names.includes(name)) return `another ${sort} is named "${name}", too`;
  const confusable = findConfusable([...names, name]);
  return confusable === null ? null : `the ${sort} "${name}" reads like the ${sort} "${confusable.like}"`;
}

/** Names the tools that no file exports; null if there are none. */
export function missingToolsFault(
  sort: PartSort,
  name: string,
  tools: readonly AnyTool[],
  usable: ReadonlySet<AnyTool>,
): string | null {
  const missing = tools.filter((tool) => !usable.has(tool)).map((tool) => `"${tool.name}"`);
  if (missing.length === 0) return null;
  return `the ${sort} "${name}" has tools that are not loaded: ${missing.join(', ')}; a tool is exported from a file below tools/`;
}

/** Maximum characters of the name of a model configuration. */
const MAX_MODEL = 100;

/** The name itself is looked up when the agent is stored: configurations of models are in the database. */
export function modelFault(sort: PartSort, { name, model }: Pick<Agent, 'name' | 'model'>): string | null {
  const given: unknown = model;
  if (given === undefined) return null;
  if (typeof given === 'string' && given.trim() !== '' && given.length <= MAX_MODEL) return null;
  return `\`model\` of the ${sort} "${name}" must be the name of a model configuration or of a model: 1–${MAX_MODEL} characters`;
}
