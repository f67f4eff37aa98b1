import type { Preparation, ShownHistory } from '#libs/agent-core';
import type { ComposedPrompt } from '#libs/policy';
import {
  cutText,
  type IndexTools,
  listedTools,
  MAX_TOOLS_OF_A_RUN,
  offerSearched,
  type PromptTool,
  type SearchedTools,
  type ToolCatalogue,
} from '#libs/tooling';
import type { StoredContext } from '../ports/stored-context.js';
import { unusableOptions } from './plan-parameters.js';

/** Maximum warnings stored about the tools of one loop. */
const MAX_WARNINGS = 20;
const MAX_WARNING = 300;

/**
 * Pins the configuration of a first attempt for later ones.
 * @param listed names of the tools described to the model; null for all
 * @param warnings problems with its tools
 * @param history conversation that the model is shown; null at its start
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
  const noted = [...new Set(warnings)].slice(0, MAX_WARNINGS).map((text) => cutText(text, MAX_WARNING));
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

/** A later attempt uses the pinned model and parameters, even if the configuration has changed since. */
export function asPrepared(stored: StoredContext, { model, extra }: Preparation): StoredContext {
  return { ...stored, llm: { ...stored.llm, model, extra } };
}

/** Names of the tools that a later attempt must find again; null for a first attempt. */
export function pinnedNames(preparation: Preparation | null): readonly string[] | null {
  return preparation?.tools.map(({ name }) => name) ?? null;
}

/** A later attempt offers the tools of the first one in the same order; newer tools are left out. */
export function asOffered(catalogue: ToolCatalogue, preparation: Preparation | null): ToolCatalogue {
  if (preparation === null) return catalogue;
  const names = preparation.tools.map(({ name }) => name);
  const missing = names.filter((name) => !catalogue.find(name));
  if (missing.length > 0) throw unusableOptions(missing.map((name) => `there is no tool named ${name}`));
  return catalogue.pick(names);
}

/** Names of tools that a release changed since the first attempt: the model knows them by an older description. */
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

/**
 * Names of the tools described to the model; null for all. Later attempts keep the first attempt's selection. Throws an
 * `AppError` above the maximum number of tools per run.
 */
export function listedOf(
  catalogue: ToolCatalogue,
  preparation: Preparation | null,
  mostListed: number,
): readonly string[] | null {
  if (preparation !== null) return preparation.listed ?? null;
  const count = catalogue.names().length;
  if (count > MAX_TOOLS_OF_A_RUN)
    throw unusableOptions([`tools: the agent may call ${count}, at most ${MAX_TOOLS_OF_A_RUN} are allowed`]);
  return listedTools(catalogue, mostListed);
}

/** Descriptions for the model and the catalogue for its calls. */
export function present(
  catalogue: ToolCatalogue,
  listed: readonly string[] | null,
  usable: readonly PromptTool[],
  indexTools: IndexTools,
): SearchedTools {
  if (listed === null) return { catalogue, described: usable };
  return offerSearched(catalogue, listed, usable, indexTools);
}
