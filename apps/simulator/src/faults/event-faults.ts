import type { UnnumberedEvent } from '../responses/stream-event-schema.js';
import type { ResponseObject } from '../responses/response-schema.js';
import type { StreamFault } from './fault-schema.js';

/** An event as sent, including events unknown to the real API. */
export type WireEvent =
  | UnnumberedEvent
  | { readonly type: `response.simulated.${string}`; readonly note: string }
  | {
      readonly type: 'response.completed';
      readonly response: Omit<ResponseObject, 'status'> & { readonly status: string };
    };

/** Sequence of `sequence_number`; `plain` is 0, 1, 2 … */
export type Numbering = 'plain' | Extract<StreamFault, { kind: 'sequence_numbers' }>['mode'];

/** Applies faults to the events: inserts unknown ones, or ends with an `error`. */
export function applyEventFaults(
  events: readonly UnnumberedEvent[],
  faults: readonly StreamFault[],
): readonly WireEvent[] {
  return faults.reduce<readonly WireEvent[]>((changed, fault) => {
    if (fault.kind === 'unknown_events') return withUnknownEvents(changed, fault.every);
    if (fault.kind === 'status_inside') return changed.map((event) => withStatusInside(event, fault.status));
    if (fault.kind !== 'error_event') return changed;
    const { code, message } = fault;
    const kept = changed.slice(0, fault.after_events ?? Math.floor(changed.length / 2));
    return [...kept, { type: 'error', code, message, param: null }];
  }, events);
}

function withStatusInside(event: WireEvent, status: string): WireEvent {
  if (event.type !== 'response.completed') return event;
  return { type: 'response.completed', response: { ...event.response, status } };
}

/** Inserts none after the terminal event, which ends the stream. */
function withUnknownEvents(events: readonly WireEvent[], every: number): readonly WireEvent[] {
  return events.flatMap((event, index) =>
    index % every === 0 && index < events.length - 1
      ? [event, { type: 'response.simulated.unknown' as const, note: 'clients ignore what they do not know' }]
      : [event],
  );
}

/** The numbering required by the faults. */
export function numberingOf(faults: readonly StreamFault[]): Numbering {
  return faults.find((fault) => fault.kind === 'sequence_numbers')?.mode ?? 'plain';
}

/** The event as JSON, with its sequence number. */
export function numberEvent(event: WireEvent, index: number, numbering: Numbering): string {
  const { type, ...rest } = event;
  return JSON.stringify({
    type,
    ...(numbering === 'missing' ? {} : { sequence_number: numberAt(index, numbering) }),
    ...rest,
  });
}

function numberAt(index: number, numbering: Exclude<Numbering, 'missing'>): number {
  switch (numbering) {
    case 'plain':
      return index;
    case 'duplicate':
      return Math.floor(index / 2);
    case 'out_of_order':
      return index % 2 === 0 ? index + 1 : index - 1;
    case 'gaps':
      return index * 3;
  }
}
