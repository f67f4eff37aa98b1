/** Answer of the sales agent's tools. Both ids are added to the message, too, for the user interface. */
export interface SalesAgentResult {
  readonly message: string;
  readonly savedOrderRequestId?: number;
  readonly referencedOrderRequestId?: number;
}
