import type { Problem } from './types.js';

/** An answer of the API that is not a success, in the words of its `application/problem+json`. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(
    /** HTTP status; 0 when there was no answer at all. */
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly code: string | null,
    readonly requestId: string | null,
    /** One line for each invalid field. */
    readonly faults: readonly string[] = [],
  ) {
    super(detail === '' ? title : detail);
  }
}

/** Reads what an unsuccessful answer says; a proxy or a dead server may have answered without a problem document. */
export function problemFrom(status: number, body: unknown): ApiProblem {
  if (!isProblem(body)) return new ApiProblem(status, `HTTP ${status}`, withoutProblem(status), null, null);
  const faults = (body.errors ?? []).map((fault) => {
    const place = 'pointer' in fault ? fault.pointer : 'parameter' in fault ? fault.parameter : fault.header;
    return `${place}: ${fault.detail}`;
  });
  return new ApiProblem(status, body.title, body.detail, body.code, body.request_id, faults);
}

/** Turns everything that a request can throw into a problem that can be shown. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof TypeError) {
    return new ApiProblem(0, 'No connection', 'The server cannot be reached.', null, null);
  }
  return new ApiProblem(0, 'Unexpected error', error instanceof Error ? error.message : '', null, null);
}

function withoutProblem(status: number): string {
  if (status === 502 || status === 503 || status === 504) return 'The server is not available at the moment.';
  return 'The server answered without saying why.';
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'title' in body && 'detail' in body && 'code' in body;
}
