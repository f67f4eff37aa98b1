import { parseToolArguments } from '../parse-tool-arguments.js';
import { CALL_TOOL, forwardCall, type AskedCall, type ForwardedCall } from '../search/call-tool.js';
import type { ToolCatalogue } from '../tool-catalogue.js';
import { repairArguments } from './repair-arguments.js';

/** A call as it is judged and run. */
export interface MeantCall extends ForwardedCall {
  /** The arguments as the model wrote them, where they had to be repaired. */
  readonly written?: string;
}

/**
 * The call that a model means. Arguments are repaired where their meaning is certain, and where it is not, only of a tool
 * that is not `unsafe`. A call of `call_tool` is a call of the tool that it names.
 *
 * @param catalogue what the run may call
 * @param isSearched whether the model was given `call_tool`
 */
export function meantCall(
  call: AskedCall,
  catalogue: ToolCatalogue,
  { isSearched }: { readonly isSearched: boolean },
): MeantCall {
  if (isSearched && call.toolName === CALL_TOOL) {
    const repaired = repairInner(repair(call, false));
    return { ...repaired, ...forwardCall(repaired, catalogue) };
  }
  const tool = catalogue.find(call.toolName);
  return repair(call, tool !== undefined && tool.effect !== 'unsafe');
}

function repair(call: AskedCall, mayGuess: boolean): MeantCall {
  const repaired = repairArguments(call.arguments, { mayGuess });
  return repaired === null ? call : { ...call, arguments: repaired, written: call.arguments };
}

/** The arguments of the tool that is named may be encoded once more. */
function repairInner(call: MeantCall): MeantCall {
  const parsed = parseToolArguments(call.arguments);
  const inner = parsed.success ? parsed.data['arguments'] : undefined;
  if (!parsed.success || typeof inner !== 'string') return call;
  const meant = parseToolArguments(repairArguments(inner, { mayGuess: false }) ?? inner);
  if (!meant.success) return call;
  const repaired = JSON.stringify({ ...parsed.data, arguments: meant.data });
  return { ...call, arguments: repaired, written: call.written ?? call.arguments };
}
