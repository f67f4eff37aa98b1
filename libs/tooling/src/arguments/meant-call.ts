import { parseToolArguments } from '../parse-tool-arguments.js';
import { CALL_TOOL, forwardCall, type AskedCall, type ForwardedCall } from '../search/call-tool.js';
import type { ToolCatalogue } from '../tool-catalogue.js';
import { repairArguments } from './repair-arguments.js';

/** A call in the form in which it is checked and run. */
export interface MeantCall extends ForwardedCall {
  /** The original arguments, if they were repaired. */
  readonly written?: string;
}

/**
 * Interprets a call. Arguments are repaired if their meaning is certain; guesses are allowed except for `unsafe` tools.
 * `call_tool` is resolved to the tool that it names.
 *
 * @param catalogue tools that the run may call
 * @param isSearched true if the model was given `call_tool`
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

/** The arguments for the named tool may be JSON-encoded a second time. */
function repairInner(call: MeantCall): MeantCall {
  const parsed = parseToolArguments(call.arguments);
  const inner = parsed.success ? parsed.data['arguments'] : undefined;
  if (!parsed.success || typeof inner !== 'string') return call;
  const meant = parseToolArguments(repairArguments(inner, { mayGuess: false }) ?? inner);
  if (!meant.success) return call;
  const repaired = JSON.stringify({ ...parsed.data, arguments: meant.data });
  return { ...call, arguments: repaired, written: call.written ?? call.arguments };
}
