import { carryBinaryFrames, carryFrames } from '../faults/carry-frames.js';
import { applyEventFaults, numberEvent, numberingOf } from '../faults/event-faults.js';
import type { StreamFault } from '../faults/fault-schema.js';
import { planTransport } from '../faults/transport-plan.js';
import type { Delivery, DeliveryStep, Frame } from '../http/delivery.js';
import type { Pace } from './answer.js';
import { buildEvents } from './build-events.js';
import type { BuiltResponse } from './build-response.js';
import type { ResponsesRequest } from './responses-request.js';
import { isTerminal } from './stream-event-schema.js';

/** Delivers a response as events or as one JSON body, with the requested faults. */
export function deliverAnswer(
  request: ResponsesRequest,
  response: BuiltResponse,
  pace: Pace,
  faults: readonly StreamFault[],
  headers: Readonly<Record<string, string>>,
): Delivery {
  const inside = faults.find((fault) => fault.kind === 'status_inside');
  return deliverFrames(request, pace, faults, headers, {
    events: () => eventFrames(request, response, pace, faults),
    body: () => ({ ...response.finished, ...statusOf(inside) }),
  });
}

/** Delivers frames of any API, as events or one body. `binaryType`: the type of a stream whose frames are bytes. */
export function deliverFrames(
  request: Pick<ResponsesRequest, 'isStreamed'>,
  pace: Pace,
  faults: readonly StreamFault[],
  headers: Readonly<Record<string, string>>,
  answer: { readonly binaryType?: string; events(): readonly Frame[]; body(): object },
): Delivery {
  const before: readonly DeliveryStep[] = pace.headersMs > 0 ? [{ kind: 'wait', ms: pace.headersMs }] : [];
  const isStreamed = request.isStreamed && !faults.some((fault) => fault.kind === 'ignores_stream');
  const frames = isStreamed
    ? answer.events()
    : [{ text: JSON.stringify(answer.body()), delayMs: 0, isTerminal: true }];
  const streamType = answer.binaryType ?? 'text/event-stream; charset=utf-8';
  const contentType = isStreamed ? streamType : 'application/json';
  const plan = planTransport(faults, frames.length);
  const isBinary = isStreamed && answer.binaryType !== undefined;
  return {
    before,
    status: 200,
    headers: { ...headers, 'content-type': contentType, 'cache-control': 'no-cache' },
    body: isBinary ? carryBinaryFrames(frames, plan) : carryFrames(frames, plan, isStreamed),
  };
}

function statusOf(fault: { readonly status: string } | undefined): { readonly status?: string } {
  return fault === undefined ? {} : { status: fault.status };
}

function eventFrames(
  request: ResponsesRequest,
  response: BuiltResponse,
  pace: Pace,
  faults: readonly StreamFault[],
): readonly Frame[] {
  const isObfuscated = request.body.stream_options?.include_obfuscation ?? true;
  const events = buildEvents(response, { deltaCharacters: pace.deltaCharacters, isObfuscated });
  const numbering = numberingOf(faults);
  return applyEventFaults(events, faults).map((event, index) => ({
    text: `event: ${event.type}\ndata: ${numberEvent(event, index, numbering)}\n\n`,
    delayMs: event.type.endsWith('.delta') ? pace.deltaMs : 0,
    isTerminal: isTerminal(event.type),
  }));
}
