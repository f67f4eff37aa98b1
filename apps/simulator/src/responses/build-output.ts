import { assertNever } from '#libs/kernel';
import type { AnswerItem } from './answer.js';
import { seal } from './encrypted-reasoning.js';
import type { IdSource } from './id-source.js';
import type { OutputItem } from './output-item-schema.js';

/** Builds the `output` of the finished response, with an id for every item. */
export function buildOutput(
  items: readonly AnswerItem[],
  ids: IdSource,
  isEncrypted: boolean,
): readonly OutputItem[] {
  return items.map((item) => buildItem(item, ids, isEncrypted));
}

function buildItem(item: AnswerItem, ids: IdSource, isEncrypted: boolean): OutputItem {
  switch (item.kind) {
    case 'reasoning': {
      const id = ids.next('rs');
      return {
        id,
        type: 'reasoning',
        ...(isEncrypted && { encrypted_content: seal(id, item.thought) }),
        summary: item.summary.map((text) => ({ type: 'summary_text', text })),
      };
    }
    case 'text': {
      const part = {
        type: 'output_text' as const,
        annotations: [...(item.annotations ?? [])],
        logprobs: [],
        text: item.text,
      };
      return {
        id: ids.next('msg'),
        type: 'message',
        status: statusOf(item),
        content: [part],
        role: 'assistant',
        ...(item.phase !== undefined && { phase: item.phase }),
      };
    }
    case 'refusal': {
      const part = { type: 'refusal' as const, refusal: item.refusal };
      return {
        id: ids.next('msg'),
        type: 'message',
        status: statusOf(item),
        content: [part],
        role: 'assistant',
      };
    }
    case 'call':
      return {
        id: ids.next('fc'),
        type: 'function_call',
        status: statusOf(item),
        arguments: item.arguments,
        call_id: item.callId ?? ids.next('call'),
        name: item.name,
      };
    default:
      return assertNever(item);
  }
}

function statusOf(item: { readonly isCut?: boolean }): 'completed' | 'incomplete' {
  return item.isCut === true ? 'incomplete' : 'completed';
}
