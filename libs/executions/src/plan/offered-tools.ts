import type { Preparation } from '#libs/agent-core';
import {
  listedTools,
  MOST_TOOLS_OF_A_RUN,
  offerSearched,
  type IndexTools,
  type PromptTool,
  type SearchedTools,
  type ToolCatalogue,
} from '#libs/tooling';
import { unusableOptions } from './plan-parameters.js';

/**
 * Which tools the model of a run is given descriptions of; null for all. What a first attempt decided holds for those that
 * go on with it. Throws an `AppError` where there are more tools than one run may have.
 */
export function listedOf(
  catalogue: ToolCatalogue,
  preparation: Preparation | null,
  mostListed: number,
): readonly string[] | null {
  if (preparation !== null) return preparation.listed ?? null;
  const count = catalogue.names().length;
  if (count > MOST_TOOLS_OF_A_RUN)
    throw unusableOptions([`tools: the agent may call ${count}, at most ${MOST_TOOLS_OF_A_RUN} are allowed`]);
  return listedTools(catalogue, mostListed);
}

/** What a model is given, and what its calls run with. */
export function present(
  catalogue: ToolCatalogue,
  listed: readonly string[] | null,
  usable: readonly PromptTool[],
  indexTools: IndexTools,
): SearchedTools {
  if (listed === null) return { catalogue, described: usable };
  return offerSearched(catalogue, listed, usable, indexTools);
}
