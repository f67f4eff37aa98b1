import { answerOf } from './client.js';

/** A resource with the version that `If-Match` names. */
export interface Versioned<T> {
  readonly value: T;
  readonly version: string;
}

/**
 * Body of a successful answer with its `ETag`.
 * @throws {ApiProblem} for any other answer
 */
export async function versionedAnswerOf<T>(
  request: Promise<{ readonly data?: T; readonly error?: unknown; readonly response: Response }>,
): Promise<Versioned<T>> {
  const value = await answerOf(request);
  const { response } = await request;
  return { value, version: response.headers.get('etag') ?? '*' };
}
