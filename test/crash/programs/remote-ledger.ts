import type { ServerPoint } from './failpoints.js';
import type { Ledger, ServedCall } from './ledgered-tools.js';

/** A message of a tool server to the ledger. */
export type Said =
  | { readonly kind: 'call'; readonly call: ServedCall }
  | { readonly kind: 'cancellation'; readonly call: ServedCall }
  | { readonly kind: 'point'; readonly point: ServerPoint; readonly caseKey: string };

/** A ledger that another process keeps at `url`. */
export function remoteLedger(url: string): Ledger {
  const say = async (said: Said): Promise<{ number: number }> => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(said) });
    return (await answer.json()) as { number: number };
  };
  return {
    record: async (call) => (await say({ kind: 'call', call })).number,
    recordCancellation: async (call) => {
      await say({ kind: 'cancellation', call });
    },
    reach: async (point, caseKey) => {
      await say({ kind: 'point', point, caseKey });
    },
  };
}
