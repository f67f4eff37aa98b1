import { errorResult, PassingFailure, ToolOutcomeUnknown, type ToolReturn } from '#libs/tooling';
import { McpFailure, serverFailureBehind } from './mcp-failure.js';
import { readResult } from './read-result.js';

/** Status 429: the server did nothing, and a retry may succeed. */
const TOO_MANY_REQUESTS = 429;

/**
 * Converts a failure after sending to an answer with the server's text, or with ours if there is none. Throws a
 * `PassingFailure` if a retry may succeed, and `ToolOutcomeUnknown` if an unrepeatable call may have been executed.
 */
export function answerOf(failure: unknown, isRepeatable: boolean): ToolReturn {
  if (!(failure instanceof McpFailure)) throw new ToolOutcomeUnknown('the call failed', { cause: failure });
  const { kind, message, serverText, status, cause } = failure;
  const refusal = kind === 'rejected' ? serverFailureBehind(failure) : null;
  if (refusal !== null) return unusable(refusal.message);
  const answer = serverText === undefined ? unusable(message) : saidBy(serverText);
  if (kind === 'rejected') {
    if (status !== TOO_MANY_REQUESTS) return answer;
    throw new PassingFailure(answer, status, { cause: failure });
  }
  if (kind === 'unsent' || kind === 'session_lost')
    throw new PassingFailure(answer, null, { cause: failure });
  const unknown = new ToolOutcomeUnknown(message, { cause });
  throw isRepeatable ? new PassingFailure(answer, null, { cause: unknown }) : unknown;
}

/** No time is left for a retry. */
export function tooLate(timeoutMs: number): ToolReturn {
  return unusable(`it did not answer within ${(timeoutMs / 1_000).toFixed(1)} s`);
}

/** Informs the model that the server is unusable, with the reason. */
export function unusable(reason: string): ToolReturn {
  return { result: errorResult(`the tool server cannot be used: ${reason}`) };
}

function saidBy(serverText: string): ToolReturn {
  return readResult({ content: [{ type: 'text', text: serverText }], isError: true }, null);
}
