import { isDeepStrictEqual } from 'node:util';
import type { CrashLane } from '../services/crash-lane.js';
import type { RecordedCall } from '../services/effect-server.js';
import { REVIEW_CALLS, REVIEW_FINDING } from '../services/offer-reviewer.js';
import type { ExecutionEvidence } from './evidence/case-evidence.js';
import { ofEventOrder, ofJournal, ofWebhooks, unless } from './evidence/execution-violations.js';
import { ofSteps } from './evidence/step-facts.js';
import { untilReported, type HeldExecution } from './until-reported.js';

/** The reviewer's unsafe call, which must not run twice. */
export const UNSAFE_CALL_OF_REVIEWER = '6.0:1.1';
/** The reviewer's calls by their names within the execution. */
const CALLS: Readonly<Record<string, string>> = {
  '6.0:1.0': REVIEW_CALLS.looked,
  [UNSAFE_CALL_OF_REVIEWER]: REVIEW_CALLS.charged,
  '6.0:2.0': REVIEW_CALLS.noted,
};
const NOTED = '6.0:2.0';
const STEPS = [
  ...['page succeeded', 'extract succeeded', 'is_order branched', 'account succeeded', 'customer skipped'],
  ...['match succeeded', 'draft succeeded', 'review succeeded', 'report succeeded'],
];
/** The step calls in the event stream: one each, and three of `match`. */
const STEP_CALLS = [
  'page',
  'extract',
  'account',
  'match[0]',
  'match[1]',
  'match[2]',
  'draft',
  'review',
  'report',
];

const ORDER = '- 5 cases roma tomatoes\n- 2 cases lemons\n- 3 cs moon cheese';
const NO_ITEM = 'No item of the catalogue fits; the nearest is DAI-6060 Cream Cheese Loaf.';
const LINES = [
  {
    original_text: '5 cases roma tomatoes',
    item_num: 'VEG-1010',
    status: 'success',
    help_request_message: null,
  },
  {
    ...{ original_text: '2 cases lemons', item_num: 'FRT-2010', status: 'todo' },
    help_request_message: REVIEW_FINDING.problem,
  },
  { original_text: '3 cs moon cheese', item_num: '', status: 'todo', help_request_message: NO_ITEM },
];
const MAX_MS = 150_000;

/** Submits an order that goes through all steps of `orderEntryWorkflow`. */
export async function beginOrder(lane: CrashLane): Promise<HeldExecution> {
  const domSnapshot = { title: 'Order form', html: '<p>Friday is full.</p>' };
  const { id } = await lane.submit(
    { input: ORDER, additional_data: { customerAccountNumber: 4001, domSnapshot } },
    lane.workflowId,
  );
  return untilReported(lane, id, lane.api.settled(id, MAX_MS));
}

/** An order request as it is stored. */
export interface DraftedOrder {
  readonly id: number;
  readonly payload: { readonly items: readonly object[]; readonly isSaved: boolean };
}

export interface OrderEvidence extends ExecutionEvidence {
  readonly calls: readonly RecordedCall[];
  /** Every order request of the execution. */
  readonly orders: readonly DraftedOrder[];
  readonly webhookSecret: string;
}

/** Reads the order requests of an execution. */
export async function readOrders(lane: CrashLane, executionId: string): Promise<DraftedOrder[]> {
  const sql = 'SELECT id, payload FROM order_entry.order_request WHERE execution_id = $1';
  return (await lane.database.query<DraftedOrder>(sql, [executionId])).rows;
}

/**
 * The violations of an order by workflow, a sentence each. Pure.
 *
 * @param isUnknown whether the failpoint leaves the outcome of the reviewer's unsafe call unknown
 */
export function findOrderViolations(evidence: OrderEvidence, isUnknown: boolean): string[] {
  return [
    ...(isUnknown ? ofUnknownEnding(evidence) : ofEnding(evidence)),
    ...ofJournal(evidence),
    ...ofEventOrder(evidence),
    ...ofSteps(evidence, STEPS, isUnknown),
    ...ofStepEvents(evidence, isUnknown),
    ...ofCalls(evidence, isUnknown),
    ...ofWebhooks(evidence, evidence.webhookSecret),
  ];
}

/** The execution fails and drafts no order. */
function ofUnknownEnding({ view, orders }: OrderEvidence): string[] {
  const found = `${view.status} ${view.error?.code}`;
  return [
    ...unless(found === 'failed TOOL_OUTCOME_UNKNOWN', `it ended "${found}"`),
    ...unless(orders.length === 0, `it failed, and drafted ${orders.length} orders`),
  ];
}

/** The execution drafts one order, and its report is the same as in an undisturbed run. */
function ofEnding({ view, orders }: OrderEvidence): string[] {
  const [order] = orders;
  if (view.status !== 'completed' || orders.length !== 1 || order === undefined)
    return [`it ended ${view.status} ${view.error?.code}, and drafted ${orders.length} orders`];
  const lines = order.payload.items.map((item) => pickLine(item as (typeof LINES)[number]));
  const summary = [
    `Order request ${order.id} is drafted for Harbor Grill: 3 lines, 1 ready.`,
    `- line 2 "2 cases lemons": ${REVIEW_FINDING.problem}`,
    `- line 3 "3 cs moon cheese": ${NO_ITEM}`,
  ].join('\n');
  const review = { verdict: 'needs_person', findings: [REVIEW_FINDING] };
  const outputReport = {
    ...{ summary, orderRequestId: order.id, customerName: 'Harbor Grill', readyLines: 1, openLines: 2 },
    review,
  };
  const message = view.result?.message;
  return [
    ...unless(isDeepStrictEqual(lines, LINES), `the order: ${JSON.stringify(lines)}`),
    ...unless(!order.payload.isSaved, 'nobody has confirmed the order'),
    ...unless(message?.content === summary, `it answered ${message?.content}`),
    ...unless(
      isDeepStrictEqual(message?.data, { savedOrderRequestId: order.id, outputReport }),
      `its data: ${JSON.stringify(message?.data)}`,
    ),
  ];
}

function pickLine({ original_text, item_num, status, help_request_message }: (typeof LINES)[number]): object {
  return { original_text, item_num, status, help_request_message };
}

/** Since the last restart each step has its events once; events of a worker that died may be lost. */
function ofStepEvents({ events, view }: ExecutionEvidence, isUnknown: boolean): string[] {
  const winner = events.slice(events.findLastIndex(({ event }) => event === 'attempt_restarted') + 1);
  const isWhole = view.attempt === 1 && !isUnknown;
  return ['tool_use', 'tool_result'].flatMap((name) => {
    const found = winner.flatMap(({ event, data }) => {
      const { tool_use_id: id, scope } = data as { tool_use_id?: string; scope?: string };
      return event === name && scope === undefined && id !== undefined ? [id] : [];
    });
    return [
      ...unless(new Set(found).size === found.length, `followers read of ${name}: ${found.join(' ')}`),
      ...unless(
        isWhole
          ? isDeepStrictEqual(found.toSorted(), STEP_CALLS.toSorted())
          : found.every((id) => STEP_CALLS.includes(id)),
        `followers read of ${name}: ${found.join(' ')}`,
      ),
    ];
  });
}

function ofCalls({ calls, view }: OrderEvidence, isUnknown: boolean): string[] {
  const nameOf = ({ callKey }: RecordedCall): string => callKey.slice(view.id.length + 1);
  const of = (name: string) => calls.filter((call) => nameOf(call) === name);
  const charged = of(UNSAFE_CALL_OF_REVIEWER).length;
  const noted = of(NOTED).filter(({ tookEffect }) => tookEffect).length;
  return [
    ...calls.flatMap((call) =>
      unless(CALLS[nameOf(call)] === call.input.item, `${nameOf(call)} was called with ${call.input.item}`),
    ),
    ...unless(charged <= 1, `the reviewer charged ${charged} times`),
    ...unless(isUnknown || charged === 1, 'the reviewer never charged'),
    ...unless(noted === (isUnknown ? 0 : 1), `the reviewer noted it ${noted} times`),
  ];
}
