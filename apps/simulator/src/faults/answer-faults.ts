import { assertNever } from '#libs/kernel';
import { writeTextArguments } from '../json-schema/write-for-schema.js';
import { callOf, type Answer, type AnswerItem } from '../responses/answer.js';
import { currentRound } from '../responses/conversation.js';
import type { IdSource } from '../responses/id-source.js';
import { cutLastItem } from '../responses/limit-output.js';
import type { ResponsesRequest } from '../responses/responses-request.js';
import type { AnswerFault } from './fault-schema.js';
import { hostileArguments } from './hostile-arguments.js';

type Call = Extract<AnswerItem, { kind: 'call' }>;

/** Applies faults to an answer, in order. */
export function applyAnswerFaults(
  answer: Answer,
  faults: readonly AnswerFault[],
  request: ResponsesRequest,
  ids: IdSource,
): Answer {
  return faults.reduce((changed, fault) => applyFault(changed, fault, request, ids), answer);
}

function applyFault(answer: Answer, fault: AnswerFault, request: ResponsesRequest, ids: IdSource): Answer {
  switch (fault.kind) {
    case 'usage':
      return { ...answer, usage: { kind: fault.mode } };
    case 'response_failed':
      return { ...answer, end: { status: 'failed', code: fault.code, message: fault.message } };
    case 'response_incomplete':
      return {
        ...answer,
        items: cutLastItem(answer.items),
        end: { status: 'incomplete', reason: fault.reason },
      };
    case 'duplicate_call_id': {
      const callId = ids.next('call');
      const [first, second = first, ...others] = callsOf(answer, request);
      return withCalls(answer, [{ ...first, callId }, { ...second, callId }, ...others]);
    }
    case 'reused_call_id': {
      const earlier = request.items.findLast((item) => item.type === 'function_call');
      return earlier === undefined
        ? answer
        : changeFirstCall(answer, request, (call) => ({ ...call, callId: earlier.callId }));
    }
    case 'unknown_tool':
      return changeFirstCall(answer, request, (call) => ({ ...call, name: fault.name }));
    case 'arguments':
      return changeFirstCall(answer, request, (call) => ({
        ...call,
        arguments: hostileArguments(fault.value, call.arguments),
      }));
    case 'many_calls': {
      const calls = callsOf(answer, request);
      const many = Array.from(
        { length: fault.count },
        (_none, index) => calls[index % calls.length] ?? calls[0],
      );
      return withCalls(
        answer,
        many.map((call) => ({ ...call, callId: null })),
      );
    }
    case 'endless_tool_loop':
      return withCalls({ ...answer, end: { status: 'completed' } }, [madeUpCall(request, fault.tool)]);
    case 'refusal':
      return { ...answer, items: [{ kind: 'refusal', refusal: fault.text }] };
    case 'slow':
      return { ...answer, pace: { ...answer.pace, headersMs: fault.headers_ms, deltaMs: fault.delta_ms } };
    default:
      return assertNever(fault);
  }
}

function changeFirstCall(answer: Answer, request: ResponsesRequest, change: (call: Call) => Call): Answer {
  const [first, ...others] = callsOf(answer, request);
  return withCalls(answer, [change(first), ...others]);
}

/** Made-up calls replace text; reasoning is kept. */
function withCalls(answer: Answer, calls: readonly Call[]): Answer {
  const hadCalls = answer.items.some((item) => item.kind === 'call');
  const kept = answer.items.filter((item) => item.kind === 'reasoning' || (hadCalls && item.kind === 'text'));
  return { ...answer, items: [...kept, ...calls] };
}

function callsOf(answer: Answer, request: ResponsesRequest): readonly [Call, ...Call[]] {
  const [first, ...others] = answer.items.filter((item) => item.kind === 'call');
  return first === undefined ? [madeUpCall(request)] : [first, ...others];
}

/** A call of the named tool or the first offered one, different in every round. */
function madeUpCall(request: ResponsesRequest, name?: string): Call {
  const tool = request.tools.find((candidate) => name === undefined || candidate.name === name);
  const text = `round ${currentRound(request.items)}`;
  return tool === undefined
    ? callOf(name ?? 'simulated_tool', JSON.stringify({ text }))
    : callOf(tool.name, writeTextArguments(tool, text));
}
