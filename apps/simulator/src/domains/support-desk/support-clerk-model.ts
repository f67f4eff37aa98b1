import { writeArguments, writeFormatted } from '../../json-schema/write-for-schema.js';
import { MODELS_CREATED, replyWith, type SimulatedModel } from '../../models/simulated-model.js';
import { simulatedReasoning } from '../../models/simulated-reasoning.js';
import { callOf, type AnswerItem } from '../../responses/answer.js';
import { lastUserTurn } from '../../responses/conversation.js';
import type { ResponsesRequest } from '../../responses/responses-request.js';
import { answeredTools } from './answered-tools.js';
import { decideSupportStep, type SupportStep } from './decide-support-step.js';
import { readComplaint } from './read-complaint.js';

/** Answers customers of a shop by rules, with the support desk's tools, in as many rounds as a model would need. */
export const supportClerkModel: SimulatedModel = {
  card: {
    id: 'sim-support-clerk',
    created: MODELS_CREATED,
    description:
      'Simulator: a clerk of a support desk made of rules, not a language model. It looks up the order (A-1001) and the ' +
      'handbook, calls refund where money is asked for, open_ticket for what remains, and quotes the handbook otherwise. ' +
      'It understands nothing beyond these rules.',
  },
  reply: (request) => {
    const turn = lastUserTurn(request.items);
    const tools = new Set(request.toolChoice === 'none' ? [] : request.tools.map(({ name }) => name));
    const done = answeredTools(request.items, turn?.index ?? -1);
    const step = decideSupportStep(readComplaint(turn?.text ?? ''), tools, done);
    const thought =
      step.kind === 'say' ? 'I answer.' : `I call ${step.calls.map(({ tool }) => tool).join(', ')}.`;
    return replyWith(request, [...simulatedReasoning(request, [thought]), ...toItems(step, request)]);
  },
};

function toItems(step: SupportStep, request: ResponsesRequest): readonly AnswerItem[] {
  if (step.kind === 'say')
    return [{ kind: 'text', text: writeFormatted(step.text, request.body.text?.format ?? { type: 'text' }) }];
  return step.calls.flatMap(({ tool: name, known }) => {
    const tool = request.tools.find((candidate) => candidate.name === name);
    return tool === undefined ? [] : [callOf(name, writeArguments(tool, known))];
  });
}
