import { toast } from 'sonner';
import { problemOf } from '../api/problem.js';

/** Says why a request failed, in the words of the service, with the request id for its log. */
export function toastProblem(error: unknown): void {
  const { message, faults, requestId } = problemOf(error);
  const lines = [...faults.slice(0, 3), ...(requestId === null ? [] : [`Request ${requestId}`])];
  toast.error(message, lines.length === 0 ? {} : { description: lines.join(' · ') });
}
