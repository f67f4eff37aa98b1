import type { FunctionCallResult } from '#libs/tooling';
import type { RefundReceipt } from './support-message-data.js';

/**
 * What the tools of the support agent answer (S2-4); the ticket and the receipt are for the user interface, so they are
 * baked too.
 */
export interface SupportAgentFunctionCallResult extends FunctionCallResult {
  readonly result: FunctionCallResult['result'] & {
    readonly openedTicketId?: number;
    readonly refundReceipt?: RefundReceipt;
  };
}
