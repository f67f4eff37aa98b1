import type { PromptTool } from '../prompt-tool.js';
import { isServerToolName } from '../servers/server-tool-name.js';
import { ToolCatalogue } from '../tool-catalogue.js';
import { callTool } from './call-tool.js';
import { searchTools } from './search-tools.js';
import type { IndexTools, ToolIndex } from './tool-index.js';

/** Number of tools that search mode adds to the prompt. */
const SEARCH_MODE_TOOLS = 2;

/** A run with too many tools to describe all of them to the model. */
export interface SearchedTools {
  /** All tools, including the search and call tools. */
  readonly catalogue: ToolCatalogue;
  /** Tools described to the model. */
  readonly described: readonly PromptTool[];
}

/**
 * Describes only the `listed` tools to the model, plus two tools that search and call all others. The index is built on
 * the first search.
 *
 * @param found tools that a search may find
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

/** Maximum tools of a run, limited by the size of its journal and the time to search them. */
export const MAX_TOOLS_OF_A_RUN = 5_000;

/**
 * Tools that are described to the model; null for all, if there are at most `most`. Otherwise servers' tools are left
 * to search and the built-in tools, which agents select by name, stay listed; if those exceed `most` as well, none is
 * listed.
 */
export function listedTools(catalogue: ToolCatalogue, most: number): readonly string[] | null {
  const names = catalogue.names();
  if (names.length <= most) return null;
  const own = names.filter((name) => !isServerToolName(name));
  return own.length + SEARCH_MODE_TOOLS <= most ? own : [];
}
