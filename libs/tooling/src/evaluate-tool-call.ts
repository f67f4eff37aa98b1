import type { JsonValue } from '#libs/kernel';
import { checkParameterOptions } from './check-parameter-options.js';
import { parseErrorText, unknownToolText } from './fixed-texts.js';
import { errorResult } from './function-call-result.js';
import { invalidJsonText, invalidParametersText } from './parse-and-validate-tool-args.js';
import {
  parseToolArguments,
  type ParsedArguments,
  type UnreadableArguments,
} from './parse-tool-arguments.js';
import type { OpenedScope } from './opened-scope.js';
import type { ToolCatalogue } from './tool-catalogue.js';
import type { RefusalReason } from './refusal-reason.js';
import type { ToolDefinition } from './tool-definition.js';
import { needsApproval, onUnknownOf } from './tool-rules.js';

export type CallVerdict =
  | {
      readonly kind: 'run';
      readonly effect: ToolEffect;
      readonly input: JsonValue;
      /** True if a person must approve the call. */
      readonly needsApproval?: boolean;
      /** Default `halt`. */
      readonly onUnknown?: OnUnknown;
      /** Set if the call runs as an agent loop of its own. */
      readonly opens?: OpenedScope;
    }
  /** The call is not run; `output` informs the model why. */
  | { readonly kind: 'refuse'; readonly reason: RefusalReason; readonly output: string };

/**
 * Decides if a call may run. Checks in this order: its arguments are JSON (S0-34, S2-34), the tool exists (S0-35),
 * parameters have allowed options (S0-36), and the arguments fit the tool's schema (S2-37).
 *
 * @param catalogue tools that the run may call
 * @param parsed the arguments, if already parsed
 */
export function evaluateToolCall(
  call: { readonly toolName: string; readonly arguments: string },
  catalogue: ToolCatalogue,
  parsed: ParsedArguments = parseToolArguments(call.arguments),
): CallVerdict {
  const tool = catalogue.find(call.toolName);
  if (!parsed.success) return invalid(unreadableText(tool, parsed));
  const readInput = catalogue.readerOf(call.toolName);
  if (!tool || !readInput)
    return { kind: 'refuse', reason: 'unknown_tool', output: unknownToolText(call.toolName) };
  const optioned = checkParameterOptions(parsed.data, tool.parameterOptions ?? {});
  if (!optioned.success) return invalid(optioned.error);
  const read = readInput(optioned.data);
  if (!read.success)
    return invalid(JSON.stringify(errorResult(invalidParametersText(tool.label, read.reasons))));
  return {
    kind: 'run',
    effect: tool.effect,
    input: read.data as JsonValue,
    needsApproval: needsApproval(tool, read.data),
    onUnknown: onUnknownOf(tool),
    ...(tool.opens && { opens: tool.opens(read.data) }),
  };
}

/** Also used for unknown tools, because arguments are checked first (3.D-2). */
function unreadableText(tool: ToolDefinition | undefined, { fault, error }: UnreadableArguments): string {
  if (tool?.answersWith !== 'result') return parseErrorText(error);
  const text =
    fault === 'json' ? invalidJsonText(tool.label, error) : invalidParametersText(tool.label, [error]);
  return JSON.stringify(errorResult(text));
}

function invalid(output: string): CallVerdict {
  return { kind: 'refuse', reason: 'invalid_arguments', output };
}
