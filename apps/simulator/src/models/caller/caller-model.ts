import { writeArguments, writeFormatted } from '../../json-schema/write-for-schema.js';
import { callOf, type AnswerItem } from '../../responses/answer.js';
import { lastUserTurn } from '../../responses/conversation.js';
import type { ResponsesRequest } from '../../responses/responses-request.js';
import { MODELS_CREATED, replyWith, type SimulatedModel } from '../simulated-model.js';
import { simulatedReasoning } from '../simulated-reasoning.js';
import { chooseCall } from './choose-call.js';

/** Calls the tool that the user's text names, once, and then repeats its answer. */
export const callerModel: SimulatedModel = {
  card: {
    id: 'sim-caller',
    created: MODELS_CREATED,
    description:
      'Simulator: calls the tool that the last user text names, with the quoted texts and numbers of it as arguments, and ' +
      'repeats what the tool answers. It is not a language model and understands nothing.',
  },
  reply: (request) => {
    const turn = lastUserTurn(request.items);
    const outputs = request.items
      .slice((turn?.index ?? -1) + 1)
      .flatMap((item) => (item.type === 'function_call_output' ? [item.output] : []));
    return replyWith(request, answer(request, turn?.text ?? '', outputs));
  },
};

function answer(request: ResponsesRequest, text: string, outputs: readonly string[]): readonly AnswerItem[] {
  if (outputs.length > 0) return say(request, `The tool answers: ${outputs.join(', ')}`);
  const call = request.toolChoice === 'none' ? null : chooseCall(text, request.tools);
  if (call === null) return say(request, `No tool of mine is named in: ${text}`);
  const { name } = call.tool;
  return [
    ...simulatedReasoning(request, [`I call ${name}.`]),
    callOf(name, writeArguments(call.tool, call.known)),
  ];
}

function say(request: ResponsesRequest, text: string): readonly AnswerItem[] {
  return [{ kind: 'text', text: writeFormatted(text, request.body.text?.format ?? { type: 'text' }) }];
}
