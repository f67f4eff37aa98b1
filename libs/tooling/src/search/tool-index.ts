import type { PromptTool } from '../prompt-tool.js';

/** Full-text search for tools. Deterministic: equal tools and queries give the same names in the same order. */
export interface ToolIndex {
  /** Names of at most `most` tools, best match first. */
  rank(query: string, most: number): readonly string[];
  /** Names similar to `name`, which a model probably misspelled; at most `most`, most similar first. */
  nearest(name: string, most: number): readonly string[];
}

/** Builds the index from the tools' names, descriptions and parameters. */
export type IndexTools = (tools: readonly PromptTool[]) => ToolIndex;
