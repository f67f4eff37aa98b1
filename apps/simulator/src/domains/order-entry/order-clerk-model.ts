import { writeArguments, writeFormatted } from '../../json-schema/write-for-schema.js';
import { callOf, type AnswerItem } from '../../responses/answer.js';
import { lastUserTurn } from '../../responses/conversation.js';
import type { ResponsesRequest } from '../../responses/responses-request.js';
import { simulatedReasoning } from '../../models/simulated-reasoning.js';
import { MODELS_CREATED, replyWith, type SimulatedModel } from '../../models/simulated-model.js';
import { decideStep, SAVE, type ClerkStep } from './decide-step.js';
import type { ReadOrder } from './order-line.js';
import { readOrder } from './read-order.js';
import { answerStep } from './workflow/workflow-parts.js';
import { analyzeFiles } from './analyze-files.js';
import { answeredCalls } from './tool-results.js';

/** Reads an order by rules, and drafts it with the order entry tools, in as many rounds as a model would need. */
export const orderClerkModel: SimulatedModel = {
  card: {
    id: 'sim-order-clerk',
    created: MODELS_CREATED,
    description:
      'Simulator: a clerk made of rules, not a language model. It reads order lines (quantity, unit, item code or name, ' +
      'remark) from English and Japanese texts, calls search_items, search_customers and save_order_draft, and confirms; it ' +
      'does the steps of orderEntryWorkflow, and says what attached files are. ' +
      'It understands nothing beyond these rules.',
  },
  reply: (request) => {
    const turn = lastUserTurn(request.items);
    const said = answerStep(request, turn?.text ?? '');
    if (said !== null)
      return replyWith(request, [
        ...simulatedReasoning(request, ['I do one step of an order.']),
        { kind: 'text', text: said },
      ]);
    const order = readOrder(turn?.text ?? '');
    const canCall = request.toolChoice !== 'none';
    const tools = new Set(canCall ? request.tools.map((tool) => tool.name) : []);
    const analysis = tools.has(SAVE) ? null : analyzeFiles(turn?.text ?? '');
    if (analysis !== null) return replyWith(request, [analysis]);
    const step = decideStep(order, tools, answeredCalls(request.items, turn?.index ?? -1));
    return replyWith(request, [
      ...simulatedReasoning(request, [describe(order, step)]),
      ...toItems(step, request),
    ]);
  },
};

/** Without parallel calls, only the first one; the next round asks for the rest. */
function toItems(step: ClerkStep, request: ResponsesRequest): readonly AnswerItem[] {
  if (step.kind === 'say') {
    return [{ kind: 'text', text: writeFormatted(step.text, request.body.text?.format ?? { type: 'text' }) }];
  }
  const calls = request.body.parallel_tool_calls === false ? step.calls.slice(0, 1) : step.calls;
  return calls.flatMap(({ tool: name, known }) => {
    const tool = request.tools.find((candidate) => candidate.name === name);
    return tool === undefined ? [] : [callOf(name, writeArguments(tool, known))];
  });
}

function describe(order: ReadOrder, step: ClerkStep): string {
  const read = `I read ${order.lines.length} order line(s).`;
  return step.kind === 'say'
    ? `${read} I answer.`
    : `${read} I call ${[...new Set(step.calls.map((call) => call.tool))].join(' and ')}.`;
}
