/** Location of the text in a text event: the kind of item, the list and index in it, and the field. */
export interface TextEvent {
  readonly kind: 'message' | 'reasoning';
  readonly list: 'content' | 'summary';
  readonly index: 'content_index' | 'summary_index';
  readonly field: 'delta' | 'text' | 'refusal';
  /** True if the text repeats all of its earlier deltas. */
  readonly isWhole: boolean;
}

const content = { kind: 'message', list: 'content', index: 'content_index' } as const;
const reasoned = { kind: 'reasoning', list: 'content', index: 'content_index' } as const;
const summary = { kind: 'reasoning', list: 'summary', index: 'summary_index' } as const;
const piece = { field: 'delta', isWhole: false } as const;
const whole = { field: 'text', isWhole: true } as const;

export const TEXT_EVENTS: ReadonlyMap<string | undefined, TextEvent> = new Map<string, TextEvent>([
  ['response.output_text.delta', { ...content, ...piece }],
  ['response.output_text.done', { ...content, ...whole }],
  ['response.refusal.delta', { ...content, ...piece }],
  ['response.refusal.done', { ...content, ...whole, field: 'refusal' }],
  ['response.reasoning_text.delta', { ...reasoned, ...piece }],
  ['response.reasoning_text.done', { ...reasoned, ...whole }],
  ['response.reasoning_summary_text.delta', { ...summary, ...piece }],
  ['response.reasoning_summary_text.done', { ...summary, ...whole }],
]);
