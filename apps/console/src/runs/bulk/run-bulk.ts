import { problemOf, type ApiProblem } from '../../api/problem.js';

export interface BulkFailure {
  readonly id: string;
  readonly problem: ApiProblem;
}

export interface BulkRequests {
  readonly ids: readonly string[];
  /** Asks once for one run; a repeat for the same run must not do it twice. */
  readonly act: (id: string) => Promise<unknown>;
  /** No run is begun after it was aborted; those under way are finished. */
  readonly signal: AbortSignal;
  readonly onDone: (id: string) => void;
  readonly onFailure: (failure: BulkFailure) => void;
  /** Resolves after the pause before the next try, or at once when called off. */
  readonly pause: (failures: number, signal: AbortSignal) => Promise<void>;
}

export const AT_ONCE = 5;
const MAX_TRIES = 6;

/**
 * Does something to many runs, at most five at once, in their order. What fails for a passing reason is tried again; once
 * the session has ended, nothing is. Resolves when nothing is under way any more.
 */
export async function runBulk(requests: BulkRequests): Promise<void> {
  const left = [...requests.ids];
  let isSignedOut = false;
  const worker = async (): Promise<void> => {
    while (!requests.signal.aborted && !isSignedOut) {
      const id = left.shift();
      if (id === undefined) return;
      const problem = await tryOften(id, requests);
      if (problem === 'stopped') return;
      if (problem === null) requests.onDone(id);
      else requests.onFailure({ id, problem });
      isSignedOut ||= problem?.status === 401;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Null once it is done. */
async function tryOften(
  id: string,
  { act, signal, pause }: BulkRequests,
): Promise<ApiProblem | 'stopped' | null> {
  for (let failures = 0; ; failures += 1) {
    try {
      await act(id);
      return null;
    } catch (error) {
      const problem = problemOf(error);
      if (!isPassing(problem) || failures + 1 >= MAX_TRIES) return problem;
      await pause(failures, signal);
      if (signal.aborted) return 'stopped';
    }
  }
}

const isPassing = ({ status }: ApiProblem): boolean => status === 0 || status === 429 || status >= 500;
