import type { ErrorComponentProps } from '@tanstack/react-router';
import { ProblemNotice } from '../ui/notice.js';

/** In place of a screen that could not be shown. */
export function ScreenProblem({ error, reset }: ErrorComponentProps) {
  return <ProblemNotice error={error} onRetry={reset} title="This page could not be shown" />;
}
