import { QueryClient } from '@tanstack/react-query';
import { problemOf } from '../api/problem.js';

const MAX_RETRIES = 2;

/** Tries again what failed for a passing reason; a refusal stays a refusal. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const { status } = problemOf(error);
  return failures < MAX_RETRIES && (status === 0 || status === 429 || status >= 500);
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 5_000 }, mutations: { retry: false } },
});
