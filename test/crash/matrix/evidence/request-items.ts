import type { ModelRequestSeen } from './case-evidence.js';

type Item = ModelRequestSeen['input'][number];

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

/** Body of a request by the Responses API or the Messages API. */
export interface AskedBody {
  readonly input?: readonly Item[];
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

/** Stands for a question where an engine begins behind outputs of tools. */
const GO_ON = 'Continue from where you left off.';

/** The conversation that a request shows the model, as items of the Responses API. Pure. */
export function itemsOf({ input, messages = [] }: AskedBody): readonly Item[] {
  if (input !== undefined) return input;
  return messages.flatMap(({ role, content }) =>
    typeof content === 'string'
      ? [textItem(role, content)]
      : content.flatMap((block) => toItems(role, block)),
  );
}

function toItems(role: string, { type, text = '', id = '', tool_use_id: output = '' }: Block): Item[] {
  if (type === 'tool_use') return [{ type: 'function_call', call_id: id }];
  if (type === 'tool_result') return [{ type: 'function_call_output', call_id: output }];
  return type === 'text' && text !== GO_ON ? [textItem(role, text)] : [];
}

function textItem(role: string, content: string): Item & { readonly content: string } {
  return { type: 'message', role, content };
}
