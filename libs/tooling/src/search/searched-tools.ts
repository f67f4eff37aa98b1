import type { PromptTool } from '../prompt-tool.js';
import { ToolCatalogue } from '../tool-catalogue.js';
import { callTool } from './call-tool.js';
import { searchTools } from './search-tools.js';
import type { IndexTools, ToolIndex } from './tool-index.js';

/** How many tools a model is given so that it can search for others. */
export const SEARCH_MODE_TOOLS = 2;

/** A run with more tools than its model is given the descriptions of. */
export interface SearchedTools {
  /** All of them, and those that search and call them. */
  readonly catalogue: ToolCatalogue;
  /** What the model is given. */
  readonly described: readonly PromptTool[];
}

/**
 * Gives a model the tools of `listed`, and two by which it finds and calls all of them. The index is made when a model
 * first searches.
 *
 * @param found which of them a search may find
 */
export function offerSearched(
  catalogue: ToolCatalogue,
  listed: readonly string[],
  found: readonly PromptTool[],
  indexTools: IndexTools,
): SearchedTools {
  let index: ToolIndex | null = null;
  const indexOnce = (): ToolIndex => (index ??= indexTools(found));
  const byName = new Map(found.map((tool) => [tool.name, tool]));
  const searching = new ToolCatalogue([searchTools(byName, indexOnce), callTool(catalogue, indexOnce)]);
  const direct = found.filter(({ name }) => listed.includes(name));
  return {
    catalogue: ToolCatalogue.merge([catalogue, searching]),
    described: [...direct, ...searching.describe()],
  };
}
