import type { FunctionCallResult } from '#libs/tooling';

/** Answer of the sales agent's tools (S2-17). Both ids are baked into the message, too, for the user interface. */
export interface SalesAgentFunctionCallResult extends FunctionCallResult {
  readonly result: {
    readonly message?: string;
    readonly savedOrderRequestId?: number;
    readonly referencedOrderRequestId?: number;
  };
}
