import { errorResult, PassingFailure, ToolOutcomeUnknown, type ToolReturn } from '#libs/tooling';
import { McpFailure, serverFailureBehind } from './mcp-failure.js';
import { readResult } from './read-result.js';

/** HTTP: the server has done nothing, and the same request may succeed a moment later. */
const TOO_MANY_REQUESTS = 429;

/**
 * The answer of a call that failed after its request was sent: the words of the server where it has given any, else the
 * reason in our words. Throws a `PassingFailure` where a repeat may succeed, and `ToolOutcomeUnknown` where nothing says
 * whether a call that must not be repeated was executed.
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

/** There is no time left for another try. */
export function tooLate(timeoutMs: number): ToolReturn {
  return unusable(`it did not answer within ${(timeoutMs / 1_000).toFixed(1)} s`);
}

/** The model reads that nothing comes of the server, and why. */
export function unusable(reason: string): ToolReturn {
  return { result: errorResult(`the tool server cannot be used: ${reason}`) };
}

function saidBy(serverText: string): ToolReturn {
  return readResult({ content: [{ type: 'text', text: serverText }], isError: true }, null);
}
