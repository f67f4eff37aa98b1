/** A customer's request, as read by fixed rules. */
export interface Complaint {
  readonly text: string;
  /** The first order number in the text, context of the front end included. */
  readonly orderNumber: string | null;
  readonly wantsMoney: boolean;
  readonly hasProblem: boolean;
}

const ORDER_NUMBER = /\b[A-Z]-\d{3,8}\b/;
const MONEY = /\b(refund\w*|money back|pay(ing)? (me )?back)\b|返金/i;
const PROBLEM = /\b(broken|damaged|missing|wrong|late|lost|complain\w*)\b|壊れ|届か/i;

export function readComplaint(text: string): Complaint {
  return {
    text,
    orderNumber: ORDER_NUMBER.exec(text)?.[0] ?? null,
    wantsMoney: MONEY.test(text),
    hasProblem: PROBLEM.test(text),
  };
}
