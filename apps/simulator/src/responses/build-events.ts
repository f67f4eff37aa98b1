import { assertNever } from '#libs/kernel';
import type { BuiltResponse } from './build-response.js';
import { seal } from './encrypted-reasoning.js';
import type {
  ContentPart,
  FunctionCall,
  OutputItem,
  OutputMessage,
  ReasoningItem,
} from './output-item-schema.js';
import { obfuscationOf, splitDeltas } from './split-deltas.js';
import type { UnnumberedEvent } from './stream-event-schema.js';

export interface EventStyle {
  /** Length of a delta, in code points. */
  readonly deltaCharacters: number;
  readonly isObfuscated: boolean;
}

/** Events of a streamed response in the order of the real API, from `response.created` to the terminal event. */
export function buildEvents(response: BuiltResponse, style: EventStyle): readonly UnnumberedEvent[] {
  const { started, finished } = response;
  return [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...finished.output.flatMap((item, index) => itemEvents(item, index, style)),
    {
      type: `response.${finished.status === 'in_progress' ? 'completed' : finished.status}`,
      response: finished,
    },
  ];
}

function itemEvents(item: OutputItem, index: number, style: EventStyle): UnnumberedEvent[] {
  const added: UnnumberedEvent = {
    type: 'response.output_item.added',
    output_index: index,
    item: emptied(item),
  };
  const done: UnnumberedEvent = { type: 'response.output_item.done', output_index: index, item };
  return [added, ...growthEvents(item, index, style), done];
}

/** The item as first announced, without content. */
function emptied(item: OutputItem): OutputItem {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    case 'reasoning': {
      const isEncrypted = item.encrypted_content !== undefined;
      return { ...item, ...(isEncrypted && { encrypted_content: seal(item.id, '') }), summary: [] };
    }
    default:
      return assertNever(item);
  }
}

function growthEvents(item: OutputItem, index: number, style: EventStyle): UnnumberedEvent[] {
  switch (item.type) {
    case 'message':
      return item.content.flatMap((part, at) => partEvents(item, part, index, at, style));
    case 'function_call':
      return callEvents(item, index, style);
    case 'reasoning':
      return item.summary.flatMap((_part, at) => summaryEvents(item, index, at, style));
    default:
      return assertNever(item);
  }
}

function partEvents(
  message: OutputMessage,
  part: ContentPart,
  index: number,
  at: number,
  style: EventStyle,
): UnnumberedEvent[] {
  const where = { item_id: message.id, output_index: index, content_index: at };
  const isText = part.type === 'output_text';
  const empty: ContentPart = isText ? { ...part, text: '' } : { ...part, refusal: '' };
  const deltas = deltasOf(isText ? part.text : part.refusal, style).map((delta): UnnumberedEvent =>
    isText
      ? { type: 'response.output_text.delta', ...where, ...delta, logprobs: [] }
      : { type: 'response.refusal.delta', ...where, ...delta },
  );
  const whole: UnnumberedEvent = isText
    ? { type: 'response.output_text.done', ...where, text: part.text, logprobs: [] }
    : { type: 'response.refusal.done', ...where, refusal: part.refusal };
  return [
    { type: 'response.content_part.added', ...where, part: empty },
    ...deltas,
    whole,
    { type: 'response.content_part.done', ...where, part },
  ];
}

function callEvents(call: FunctionCall, index: number, style: EventStyle): UnnumberedEvent[] {
  const where = { item_id: call.id, output_index: index };
  return [
    ...deltasOf(call.arguments, style).map((delta): UnnumberedEvent => ({
      type: 'response.function_call_arguments.delta',
      ...where,
      ...delta,
    })),
    { type: 'response.function_call_arguments.done', ...where, arguments: call.arguments },
  ];
}

function summaryEvents(item: ReasoningItem, index: number, at: number, style: EventStyle): UnnumberedEvent[] {
  const text = item.summary[at]?.text ?? '';
  const where = { item_id: item.id, output_index: index, summary_index: at };
  return [
    { type: 'response.reasoning_summary_part.added', ...where, part: { type: 'summary_text', text: '' } },
    ...deltasOf(text, style).map((delta): UnnumberedEvent => ({
      type: 'response.reasoning_summary_text.delta',
      ...where,
      ...delta,
    })),
    { type: 'response.reasoning_summary_text.done', ...where, text },
    { type: 'response.reasoning_summary_part.done', ...where, part: { type: 'summary_text', text } },
  ];
}

function deltasOf(text: string, style: EventStyle): { delta: string; obfuscation?: string }[] {
  return splitDeltas(text, style.deltaCharacters).map((delta) => ({
    delta,
    ...(style.isObfuscated && { obfuscation: obfuscationOf(delta) }),
  }));
}
