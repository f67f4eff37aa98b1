import { expect } from '@jest/globals';
import { problemSchema } from '../../../apps/api/src/http/problem.js';
import type { Answer } from './http-client.js';

/** What a client can act on: status, code, words, and where the faults are. */
export interface ExpectedProblem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** `pointer #/input`, `parameter limit`, `header Prefer`: one for each fault of a request that is not valid. */
  readonly places?: readonly string[];
}

/** Expects a whole and honest `application/problem+json` (RFC 9457). */
export function expectProblem(answer: Answer, { status, code, detail, places = [] }: ExpectedProblem): void {
  // First, since an answer of another status has most likely another shape.
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
