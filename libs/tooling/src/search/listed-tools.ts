import { isServerToolName } from '../servers/server-tool-name.js';
import type { ToolCatalogue } from '../tool-catalogue.js';
import { SEARCH_MODE_TOOLS } from './searched-tools.js';

/** More could neither be kept in the journal of a run nor searched in passing. */
export const MOST_TOOLS_OF_A_RUN = 5_000;

/**
 * Which tools a model is given the descriptions of: null for all of them, where there are at most `most`. Else the tools
 * of servers are searched for, and those of the installation, which an agent names one by one, stay as they are; where
 * there are too many of these as well, none is listed.
 */
export function listedTools(catalogue: ToolCatalogue, most: number): readonly string[] | null {
  const names = catalogue.names();
  if (names.length <= most) return null;
  const own = names.filter((name) => !isServerToolName(name));
  return own.length + SEARCH_MODE_TOOLS <= most ? own : [];
}
