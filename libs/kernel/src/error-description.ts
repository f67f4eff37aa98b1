/**
 * Where a code is met. `answer`: in a problem that the API answers. `execution`: as `error.code` of an execution, its events
 * and webhooks, and in the problem of a request that waited for it. `document`: as `error_code` of a document. `operator`:
 * in logs and when a process refuses to start.
 */
export type ErrorAudience = 'answer' | 'execution' | 'document' | 'operator';

export interface ErrorDescription {
  readonly seen: readonly ErrorAudience[];
  /** HTTP statuses of the answers. */
  readonly status: readonly number[];
  readonly meaning: string;
  /** What whoever meets it can do. */
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

/** Those that a client can meet in an answer of the API, which includes how an execution failed that was waited for. */
export function problemCodesOf(described: Readonly<Record<string, ErrorDescription>>): string[] {
  return Object.entries(described)
    .filter(([, { seen }]) => seen.some((audience) => audience === 'answer' || audience === 'execution'))
    .map(([code]) => code);
}
