import type { PromptTool } from '../prompt-tool.js';

/** Finds tools by words. The same tools and words give the same names in the same order. */
export interface ToolIndex {
  /** The names of the tools that fit best, at most `most`, the best one first. */
  rank(query: string, most: number): readonly string[];
  /** Names that whoever wrote `name` may have meant, at most `most`, the likeliest first. */
  nearest(name: string, most: number): readonly string[];
}

/** Makes the index of these tools, of their names, descriptions and parameters. */
export type IndexTools = (tools: readonly PromptTool[]) => ToolIndex;
