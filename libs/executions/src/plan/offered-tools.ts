import type { Preparation } from '#libs/agent-core';
import {
  listedTools,
  MAX_TOOLS_OF_A_RUN,
  offerSearched,
  type IndexTools,
  type PromptTool,
  type SearchedTools,
  type ToolCatalogue,
} from '#libs/tooling';
import { unusableOptions } from './plan-parameters.js';

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
