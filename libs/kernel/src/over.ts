/**
 * Why a signal is aborted that nobody needs any more. An abort without a reason makes an error with a stack of its own
 * each time, which costs more than everything else about it.
 */
export const OVER = new DOMException('This operation was aborted', 'AbortError');
