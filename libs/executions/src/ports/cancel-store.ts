export type CancellationResult =
  | { readonly kind: 'not_found' }
  /** It had ended already; nothing was changed. */
  | { readonly kind: 'settled_before' }
  /** It never ran, and never will. */
  | { readonly kind: 'cancelled' }
  /** Whoever runs it, or takes it up next, ends it. */
  | { readonly kind: 'requested' };

/** Requests to cancel. */
export abstract class CancelStore {
  abstract request(tenantId: string, executionId: string): Promise<CancellationResult>;
  /**
   * Everything of a conversation that has not ended; nothing of an archived one, which takes nothing in its place.
   * Answers how many of it never ran, and never will.
   */
  abstract requestForSession(tenantId: string, sessionId: string): Promise<number>;
}
