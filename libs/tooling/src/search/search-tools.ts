import { utf8Length, type JsonObject } from '#libs/kernel';
import { z } from 'zod';
import { defineTool } from '../define-tool.js';
import type { PromptTool } from '../prompt-tool.js';
import type { ToolDefinition } from '../tool-definition.js';
import type { ToolIndex } from './tool-index.js';

export const SEARCH_TOOLS = 'search_tools';

const MAX_FOUND = 10;
const USUALLY_FOUND = 5;
/** Maximum bytes of an answer's JSON. A single schema always fits, so the model never reads truncated JSON. */
const MAX_FOUND_BYTES = 98_304;
const MAX_OUTPUT_BYTES = 131_072;
const TIMEOUT_MS = 10_000;

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(500)
    .describe('What the tool should do, or a part of its name, in a few words.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(MAX_FOUND)
    .nullable()
    .describe(`How many tools to give at most, 1 to ${MAX_FOUND}; null for ${USUALLY_FOUND}.`),
});

/**
 * Finds tools of a run by words and returns their descriptions, so that a model can call tools that were not listed to
 * it.
 */
export function searchTools(tools: ReadonlyMap<string, PromptTool>, index: () => ToolIndex): ToolDefinition {
  return defineTool({
    name: SEARCH_TOOLS,
    label: 'search tools',
    description:
      'There are more tools than are listed here. This finds them: names, descriptions and parameters, the best fit ' +
      'first. Call what it finds with call_tool.',
    effect: 'read',
    input,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    run: ({ query, limit }) => {
      const ranked = index().rank(query, limit ?? USUALLY_FOUND);
      const found = withinBytes(ranked.flatMap((name) => tools.get(name) ?? []));
      return Promise.resolve({ result: { status: 'success', result: asResult(found, tools.size) } });
    },
  });
}

function asResult(found: readonly PromptTool[], total: number): JsonObject {
  const tools = found.map(({ name, description, parameters }) => ({ name, description, parameters }));
  if (tools.length > 0) return { tools };
  return { tools, message: `none of the ${total} tools fits these words; try others` };
}

/** The best matches that fit, at least the first one. */
function withinBytes(tools: readonly PromptTool[]): readonly PromptTool[] {
  let bytes = 0;
  const end = tools.findIndex(({ name, description, parameters }, position) => {
    bytes += utf8Length(JSON.stringify([name, description, parameters]));
    return position > 0 && bytes > MAX_FOUND_BYTES;
  });
  return end === -1 ? tools : tools.slice(0, end);
}
