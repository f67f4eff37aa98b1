import { isServerToolName } from '../servers/server-tool-name.js';
import type { ToolCatalogue } from '../tool-catalogue.js';
import { SEARCH_MODE_TOOLS } from './searched-tools.js';

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
