import type { Mutant } from './mutant.js';

const REFUND = 'libs/support-desk/src/refunds/refund.tool.ts';
const REFUND_SPEC = 'test/integration/support-desk/refund.spec.ts';
const ASK = 'libs/support-desk/src/refunds/request-refund.ts';
const ASK_SPEC = 'libs/support-desk/src/refunds/request-refund.spec.ts';
const JUDGE = 'libs/support-desk/src/refunds/judge-refund-answer.ts';
const JUDGE_SPEC = 'libs/support-desk/src/refunds/judge-refund-answer.spec.ts';
const AMOUNT = 'libs/support-desk/src/refunds/refundable-amount.ts';
const AMOUNT_SPEC = 'libs/support-desk/src/refunds/refundable-amount.spec.ts';
const OPENED = 'libs/support-desk/src/tickets/ticket-opened.ts';
const FIND = 'libs/support-desk/src/tickets/find-tickets.tool.ts';
const TICKETS_SPEC = 'test/integration/support-desk/tickets.spec.ts';

/** The support desk: a refund is paid once, after an approval, and tickets are neither lost nor shown to other tenants. */
export const SUPPORT_DESK_MUTANTS: readonly Mutant[] = [
  {
    row: 'support-desk',
    file: REFUND,
    find: "approval: 'always',",
    replace: "approval: 'never',",
    spec: REFUND_SPEC,
    why: 'money goes out without a person',
  },
  {
    row: 'support-desk',
    file: REFUND,
    find: "effect: 'unsafe',",
    replace: "effect: 'idempotent',",
    spec: REFUND_SPEC,
    why: 'a worker that dies pays twice',
  },
  {
    row: 'support-desk',
    file: REFUND,
    find: "throw new ToolOutcomeUnknown('the shop did not say what became of the refund');",
    replace: "return { result: errorResult('Nothing was paid.') };",
    spec: REFUND_SPEC,
    why: 'the model is assured that nothing was paid, and asks again',
  },
  {
    row: 'support-desk',
    file: ASK,
    find: "if (error.mayHaveBeenSent) return { kind: 'unknown' };",
    replace: '',
    spec: [ASK_SPEC, REFUND_SPEC],
    why: 'a request that broke off counts as never sent',
  },
  {
    row: 'support-desk',
    file: ASK,
    find: "'idempotency-key': idempotencyKey",
    replace: "'idempotency-key': refund.order",
    spec: [ASK_SPEC, REFUND_SPEC],
    why: 'two refunds of an order are one to a shop that knows keys',
  },
  {
    row: 'support-desk',
    file: JUDGE,
    find: 'status === 201',
    replace: 'status >= 200 && status < 300',
    spec: [JUDGE_SPEC, REFUND_SPEC],
    why: 'what a shop has only accepted counts as paid',
  },
  {
    row: 'support-desk',
    file: JUDGE,
    find: 'status < 400',
    replace: 'status < 300',
    spec: [JUDGE_SPEC, REFUND_SPEC],
    why: 'a refund that the shop answers with a redirect is paid again',
  },
  {
    row: 'support-desk',
    file: 'libs/support-desk/src/refunds/refund.tool.ts',
    find: "throw new ToolNotBegun('the shop could not be looked up; nothing was sent', { cause });",
    replace: 'throw cause;',
    spec: REFUND_SPEC,
    why: 'a person is asked about a refund of which nothing was sent',
  },
  {
    row: 'support-desk',
    file: JUDGE,
    find: 'status >= 500 || ',
    replace: '',
    spec: [JUDGE_SPEC, REFUND_SPEC],
    why: 'a shop that fails in the middle counts as one that refuses',
  },
  {
    row: 'support-desk',
    file: AMOUNT,
    find: "compareDecimals(amount, '0') > 0 && ",
    replace: '',
    spec: AMOUNT_SPEC,
    why: 'a person is asked to agree to nothing',
  },
  {
    row: 'support-desk',
    file: AMOUNT,
    find: 'compareDecimals(amount, GREATEST_REFUND) <= 0',
    replace: 'amount <= GREATEST_REFUND',
    spec: AMOUNT_SPEC,
    why: 'amounts are compared as texts',
  },
  {
    row: 'support-desk',
    file: OPENED,
    find: '{ id, tenantId, executionId }))) throw idTaken(id);',
    replace: '{ id }))) throw idTaken(id);',
    spec: TICKETS_SPEC,
    why: 'a ticket is lost in silence to one with its number',
  },
  {
    row: 'support-desk',
    file: FIND,
    find: '{ tenantId, subject: ILike(pattern) },',
    replace: '{ subject: ILike(pattern) },',
    spec: TICKETS_SPEC,
    why: 'a tenant reads the tickets of another',
  },
  {
    row: 'support-desk',
    file: 'libs/support-desk/src/tickets/to-like-patterns.ts',
    find: ".replace(/[\\\\%_]/g, '\\\\$&')",
    replace: '',
    spec: ['libs/support-desk/src/tickets/to-like-patterns.spec.ts', TICKETS_SPEC],
    why: 'a percent sign finds every ticket',
  },
];
