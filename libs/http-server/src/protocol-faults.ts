import { STATUS_CODES } from 'node:http';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** A stable code for programs and a text for people. */
export interface FaultWords {
  readonly code: string;
  readonly detail: string;
}

/** Errors of the protocol, before the application sees the request. */
export const PROTOCOL_FAULTS = {
  400: { code: 'BAD_REQUEST', detail: 'the request is malformed' },
  404: { code: 'ROUTE_NOT_FOUND', detail: 'the API has no such path' },
  408: { code: 'REQUEST_TIMEOUT', detail: 'the request did not arrive in time' },
  413: { code: 'BODY_TOO_LARGE', detail: 'the body is too long' },
  414: { code: 'PATH_TOO_LONG', detail: 'a segment of the path is too long' },
  417: { code: 'EXPECTATION_FAILED', detail: 'Expect must be 100-continue' },
  431: { code: 'HEADERS_TOO_LARGE', detail: 'the headers must be at most 16384 bytes in total' },
  500: { code: 'INTERNAL_ERROR', detail: 'the service failed unexpectedly' },
} as const satisfies Readonly<Record<number, FaultWords>>;
export type ProtocolFaultStatus = keyof typeof PROTOCOL_FAULTS;

/** A problem (RFC 9457) as JSON text, ASCII characters only. */
export function protocolProblem(status: ProtocolFaultStatus, requestId: string): string {
  const { code, detail } = PROTOCOL_FAULTS[status];
  return JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    code,
    request_id: requestId,
  });
}
