import { expect } from '@jest/globals';
import { problemSchema } from '../../../apps/api/src/http/problem.js';
import type { Answer } from './http-client.js';

/** Fields of a problem that a client can act on: status, code, detail, and the places of the faults. */
export interface ExpectedProblem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** Place of each fault of an invalid request, as `pointer #/input`, `parameter limit` or `header Prefer`. */
  readonly places?: readonly string[];
}

/** Expects a complete `application/problem+json` (RFC 9457). */
export function expectProblem(answer: Answer, { status, code, detail, places = [] }: ExpectedProblem): void {
  // The status comes first: an answer with another status usually has another shape.
  expect(answer.status).toBe(status);
  const problem = problemSchema.parse(answer.body);
  expect(problem).toMatchObject({ type: 'about:blank', status, code, detail });
  expect((problem.errors ?? []).map(placeOf)).toEqual(places);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(problem.request_id).toBe(answer.headers.get('x-request-id'));
}

function placeOf(error: object): string {
  const place = Object.entries(error).find(([key]) => key !== 'detail') ?? [];
  return place.join(' ');
}
