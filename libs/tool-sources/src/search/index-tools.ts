import { distance } from 'fastest-levenshtein';
import MiniSearch from 'minisearch';
import { isJsonObject } from '#libs/kernel';
import type { PromptTool, ToolIndex } from '#libs/tooling';

/** Characters of a description that are indexed; its purpose stands at the beginning. */
const MAX_SEARCHED = 2_000;
/** Maximum edit distance of a query word, as a fraction of its length. */
const FUZZY = 0.2;
/** Maximum edit distance of a misspelled name, as a fraction of its length. */
const MISSPELT = 0.34;
/** Maximum characters of a misspelled name that are compared. */
const MAX_WRONG = 200;

interface IndexedTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly parameters: string;
}

/** In-memory index of one run's tools. Names weigh most, then descriptions, then parameter names. */
export function indexTools(tools: readonly PromptTool[]): ToolIndex {
  const index = new MiniSearch<IndexedTool>({
    fields: ['name', 'description', 'parameters'] satisfies (keyof IndexedTool)[],
    tokenize: wordsOf,
    searchOptions: { boost: { name: 3, description: 1.5 }, prefix: isLong, fuzzy: fuzzyFor },
  });
  index.addAll(tools.map(toIndexed));
  const search = (words: string, most: number, options?: Parameters<typeof index.search>[1]): string[] =>
    index
      .search(words, options)
      .slice(0, most)
      .map(({ id }) => String(id));
  return {
    rank: (query, most) => search(query, most),
    nearest: (name, most) => {
      const wrong = name.slice(0, MAX_WRONG);
      const alike = search(wrong, most, { fields: ['name'], fuzzy: MISSPELT });
      return alike.length > 0 ? alike : misspelt(wrong, tools).slice(0, most);
    },
  };
}

/** Names within the edit distance, for misspellings without a common word. */
function misspelt(wrong: string, tools: readonly PromptTool[]): string[] {
  return tools
    .map(({ name }) => ({ name, differs: distance(wrong, name) }))
    .filter(({ differs }) => differs <= wrong.length * MISSPELT)
    .toSorted((one, other) => one.differs - other.differs)
    .map(({ name }) => name);
}

function toIndexed({ name, description, parameters }: PromptTool): IndexedTool {
  const properties = parameters['properties'];
  return {
    id: name,
    name,
    description: description.slice(0, MAX_SEARCHED),
    parameters: isJsonObject(properties) ? Object.keys(properties).join(' ') : '',
  };
}

/** `listOpenIssues`, `list_open_issues` and `list open issues` give the same three words. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function isLong(word: string): boolean {
  return word.length >= 3;
}

function fuzzyFor(word: string): number | boolean {
  return word.length >= 5 ? FUZZY : false;
}
