import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import { unknownToolText } from '../fixed-texts.js';
import { readByZod, type InputReading } from '../input-reader.js';
import { parseToolArguments } from '../parse-tool-arguments.js';
import { toInputSchema } from '../to-input-schema.js';
import type { ToolCatalogue } from '../tool-catalogue.js';
import type { ToolDefinition } from '../tool-definition.js';
import type { ToolIndex } from './tool-index.js';
import { SEARCH_TOOLS } from './search-tools.js';

export const CALL_TOOL = 'call_tool';

const MAX_NEAREST = 3;

const input = z.strictObject({
  name: z.string('must be the name of a tool').describe('The name of the tool, exactly as it was found.'),
  arguments: z
    .looseObject({}, 'must be an object: the arguments of the tool')
    .default({})
    .describe('The arguments of the tool, by its own `parameters`.'),
});

/** A call as the model wrote it. */
export interface AskedCall {
  readonly toolName: string;
  /** JSON text. */
  readonly arguments: string;
}

/** A call, possibly forwarded by `call_tool`. */
export interface ForwardedCall extends AskedCall {
  readonly via?: typeof CALL_TOOL;
}

/**
 * Resolves `call_tool` to the tool that it names; the call then counts as a direct call, and only the model's
 * transcript shows `call_tool`. If the tool is unknown, the call stays as it is, and {@link callTool} refuses it.
 */
export function forwardCall(call: AskedCall, catalogue: ToolCatalogue): ForwardedCall {
  if (call.toolName !== CALL_TOOL) return call;
  const parsed = parseToolArguments(call.arguments);
  const read = parsed.success ? input.safeParse(parsed.data) : null;
  if (read?.success !== true || !isCallable(read.data.name, catalogue)) return call;
  return { toolName: read.data.name, arguments: JSON.stringify(read.data.arguments), via: CALL_TOOL };
}

/** The call as the model wrote it: the inverse of {@link forwardCall}. */
export function asAsked({ via, toolName, arguments: written }: ForwardedCall): AskedCall {
  if (via === undefined) return { toolName, arguments: written };
  const given = JSON.parse(written) as JsonObject;
  return { toolName: via, arguments: JSON.stringify({ name: toolName, arguments: given }) };
}

/** Never runs: {@link forwardCall} resolves calls of known tools, and `readInput` refuses all others with a reason. */
export function callTool(catalogue: ToolCatalogue, index: () => ToolIndex): ToolDefinition {
  const refuse = (given: JsonObject): InputReading => {
    const read = readByZod(input, given);
    if (!read.success) return read;
    return { success: false, reasons: [reasonAgainst(read.data.name, catalogue, index())] };
  };
  return {
    name: CALL_TOOL,
    label: 'call tool',
    description:
      `Calls a tool that ${SEARCH_TOOLS} has found. Search first: the arguments have to fit the parameters of the ` +
      'tool. What comes back is the answer of the tool itself.',
    effect: 'read',
    inputSchema: toInputSchema(input, CALL_TOOL),
    readInput: refuse,
    timeoutMs: 1_000,
    run: () => Promise.reject(new Error('a call of this tool is a call of another one')),
  };
}

function isCallable(name: string, catalogue: ToolCatalogue): boolean {
  return name !== CALL_TOOL && catalogue.find(name) !== undefined;
}

function reasonAgainst(name: string, catalogue: ToolCatalogue, index: ToolIndex): string {
  if (isCallable(name, catalogue)) return `${name} has to be called again`;
  const nearest = index.nearest(name, MAX_NEAREST);
  const advice = nearest.length === 0 ? '' : `; names like it: ${nearest.join(', ')}`;
  return `name: ${unknownToolText(name)}${advice}; find tools with ${SEARCH_TOOLS}`;
}
