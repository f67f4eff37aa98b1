/**
 * Where an error code appears. `answer`: in a problem response of the API. `execution`: as `error.code` of an
 * execution, its events and webhooks, and in the response to a request that waited for it. `document`: as `error_code`
 * of a document. `operator`: in logs, and when a process refuses to start.
 */
export type ErrorAudience = 'answer' | 'execution' | 'document' | 'operator';

export interface ErrorDescription {
  readonly seen: readonly ErrorAudience[];
  /** HTTP statuses of the responses. */
  readonly status: readonly number[];
  readonly meaning: string;
  /** How to fix or avoid the error. */
  readonly advice: string;
}

export const answer = (
  status: number | readonly number[],
  meaning: string,
  advice: string,
): ErrorDescription => ({
  seen: ['answer'],
  status: typeof status === 'number' ? [status] : status,
  meaning,
  advice,
});
const meantFor =
  (audience: ErrorAudience) =>
  (meaning: string, advice: string): ErrorDescription => ({ seen: [audience], status: [], meaning, advice });
export const execution = meantFor('execution');
export const ofDocuments = meantFor('document');
export const operator = meantFor('operator');
export const alsoOfDocuments = (described: ErrorDescription): ErrorDescription => ({
  ...described,
  seen: [...described.seen, 'document'],
});
export const alsoOfExecutions = (described: ErrorDescription): ErrorDescription => ({
  ...described,
  seen: [...described.seen, 'execution'],
});

/** The codes that an API response can contain, including those of an awaited execution that failed. */
export function problemCodesOf(described: Readonly<Record<string, ErrorDescription>>): string[] {
  return Object.entries(described)
    .filter(([, { seen }]) => seen.some((audience) => audience === 'answer' || audience === 'execution'))
    .map(([code]) => code);
}
