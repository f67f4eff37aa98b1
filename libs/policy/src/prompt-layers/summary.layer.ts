import { inTag, type PromptLayer } from './prompt-layer.js';

/** What came before the messages that the model is still shown. */
export function summaryLayer(summary: string | null): PromptLayer {
  if (summary === null || summary.trim() === '') return null;
  return inTag('conversation_summary', ['The conversation before the messages below:', summary.trim()]);
}
