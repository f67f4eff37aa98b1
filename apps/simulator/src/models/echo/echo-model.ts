import { writeFormatted, writeTextArguments } from '../../json-schema/write-for-schema.js';
import { callOf, type AnswerItem } from '../../responses/answer.js';
import { lastUserTurn } from '../../responses/conversation.js';
import type { FunctionTool } from '../../responses/request-schema.js';
import type { ResponsesRequest } from '../../responses/responses-request.js';
import { simulatedReasoning } from '../simulated-reasoning.js';
import { MODELS_CREATED, replyWith, type SimulatedModel } from '../simulated-model.js';

/**
 * Repeats the user's last text in the requested format. It calls a tool only when `tool_choice` forces it, with the text as
 * the first text argument.
 */
export const echoModel: SimulatedModel = {
  card: {
    id: 'sim-echo',
    created: MODELS_CREATED,
    description:
      'Simulator: repeats the last user text in small deltas. It is not a language model and understands nothing.',
  },
  reply: (request) => {
    const text = lastUserTurn(request.items)?.text ?? '';
    const reasoning = simulatedReasoning(request, ['I repeat what was said last.']);
    return replyWith(request, [...reasoning, sayOrCall(request, text)]);
  },
};

function sayOrCall(request: ResponsesRequest, text: string): AnswerItem {
  const forced = forcedTool(request);
  if (forced !== null) return callOf(forced.name, writeTextArguments(forced, text));
  return { kind: 'text', text: writeFormatted(text, request.body.text?.format ?? { type: 'text' }) };
}

function forcedTool(request: ResponsesRequest): FunctionTool | null {
  const { toolChoice: choice, tools } = request;
  if (choice === 'required') return tools[0] ?? null;
  if (typeof choice === 'string') return null;
  if (choice.type === 'function') return tools.find((tool) => tool.name === choice.name) ?? null;
  const allowed = choice.tools.map((tool) => tool['name']);
  return choice.mode === 'required' ? (tools.find((tool) => allowed.includes(tool.name)) ?? null) : null;
}
