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
  /** Earlier turns of the conversation of an execution that have not ended. Answers how many never ran, and never will. */
  abstract requestBefore(tenantId: string, executionId: string): Promise<number>;
}
