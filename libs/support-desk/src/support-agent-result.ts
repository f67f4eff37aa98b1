import type { FunctionCallResult } from '#libs/tooling';
import type { RefundReceipt } from './support-message-data.js';

/**
 * Answer of the support agent's tools (S2-4). Ticket and receipt are baked into the message, too, for the user interface.
 */
export interface SupportAgentFunctionCallResult extends FunctionCallResult {
  readonly result: FunctionCallResult['result'] & {
    readonly openedTicketId?: number;
    readonly refundReceipt?: RefundReceipt;
  };
}
