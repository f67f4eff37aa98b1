/**
 * Abort reason of a signal that is no longer needed. Without a reason each abort creates an error with a stack trace,
 * which dominates its cost.
 */
export const OVER = new DOMException('This operation was aborted', 'AbortError');
