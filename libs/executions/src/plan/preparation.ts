import type { Preparation, ShownHistory } from '#libs/agent-core';
import type { ComposedPrompt } from '#libs/policy';
import { cutText, type PromptTool, type ToolCatalogue } from '#libs/tooling';
import type { StoredContext } from '../ports/stored-context.js';
import { unusableOptions } from './plan-parameters.js';

/** What is kept of what was wrong with the tools of one loop. */
const MOST_WARNINGS = 20;
const LONGEST_WARNING = 300;

/**
 * What a first attempt runs with, for all that follow.
 *
 * @param listed of its tools, those that the model is given; null for all of them
 * @param warnings what was wrong with its tools
 * @param history what its model is shown of the conversation; null where nothing was said before
 */
export function prepare(
  { agentVersion, llm, hasForeignHistory, memories }: StoredContext,
  agentId: number,
  prompt: ComposedPrompt,
  offered: readonly PromptTool[],
  listed: readonly string[] | null,
  warnings: readonly string[],
  history: ShownHistory | null,
  sha256: (text: string) => string,
): Preparation {
  const noted = [...new Set(warnings)].slice(0, MOST_WARNINGS).map((text) => cutText(text, LONGEST_WARNING));
  const isForeign = hasForeignHistory || memories.some((memory) => memory.isForeign);
  const tools = offered.map((tool) => ({ name: tool.name, hash: hashOf(tool, sha256) }));
  return {
    agent: { id: agentId, version: agentVersion },
    model: llm.model,
    extra: llm.extra,
    instruction: prompt.text,
    layers: prompt.layers.map(({ name, text }) => ({ name, hash: sha256(text) })),
    tools,
    ...(listed !== null && { listed }),
    ...(noted.length > 0 && { warnings: noted }),
    ...(isForeign && { foreignHistory: true as const }),
    ...(history !== null && { history }),
  };
}

/** An attempt that goes on asks the same model the same way, whatever has become of its configuration since. */
export function asPrepared(stored: StoredContext, { model, extra }: Preparation): StoredContext {
  return { ...stored, llm: { ...stored.llm, model, extra } };
}

/** What an attempt that goes on has to find again; null for one that begins. */
export function pinnedNames(preparation: Preparation | null): readonly string[] | null {
  return preparation?.tools.map(({ name }) => name) ?? null;
}

/** An attempt that goes on offers what the first one did, in the same order; what has appeared since is not offered. */
export function asOffered(catalogue: ToolCatalogue, preparation: Preparation | null): ToolCatalogue {
  if (preparation === null) return catalogue;
  const names = preparation.tools.map(({ name }) => name);
  const missing = names.filter((name) => !catalogue.find(name));
  if (missing.length > 0) throw unusableOptions(missing.map((name) => `there is no tool named ${name}`));
  return catalogue.pick(names);
}

/** Tools that a release has changed since the first attempt: the model was promised something else under their names. */
export function findChanged(
  catalogue: ToolCatalogue,
  preparation: Preparation | null,
  sha256: (text: string) => string,
): ReadonlySet<string> {
  const hashes = new Map(catalogue.describe().map((tool) => [tool.name, hashOf(tool, sha256)]));
  const changed = (preparation?.tools ?? []).filter(({ name, hash }) => hashes.get(name) !== hash);
  return new Set(changed.map(({ name }) => name));
}

function hashOf({ name, description, parameters }: PromptTool, sha256: (text: string) => string): string {
  return sha256(JSON.stringify([name, description, parameters]));
}
