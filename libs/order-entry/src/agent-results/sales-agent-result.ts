import type { FunctionCallResult } from '#libs/tooling';

/** What the sales agent's tools answer (S2-17); both ids are shown by the user interface, so they are baked too. */
export interface SalesAgentFunctionCallResult extends FunctionCallResult {
  readonly result: {
    readonly message?: string;
    readonly savedOrderRequestId?: number;
    readonly referencedOrderRequestId?: number;
  };
}
