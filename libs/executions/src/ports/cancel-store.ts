export type CancellationResult =
  | { readonly kind: 'not_found' }
  /** The execution had settled before; no change. */
  | { readonly kind: 'settled_before' }
  /** The execution was cancelled before it ever ran. */
  | { readonly kind: 'cancelled' }
  /** The worker that runs or next claims the execution will end it. */
  | { readonly kind: 'requested' };

export abstract class CancelStore {
  abstract request(tenantId: string, executionId: string): Promise<CancellationResult>;
  /**
   * Cancels the earlier unsettled turns of an execution's conversation; returns the number of those cancelled before they
   * ran.
   */
  abstract requestBefore(tenantId: string, executionId: string): Promise<number>;
}
