import { shouldEmitResponseText, type ResponseTextSituation } from './should-emit-response-text.js';
import { stripThinkBlocks } from './think-blocks.js';

/**
 * As much of a model's whole response as its user may know of (S0-25 … S0-27): for the message that is stored and for the
 * data of `log` events. Everything else stays in the journal, where the model needs it.
 */
export function visibleResponse(response: string, situation: ResponseTextSituation): string {
  if (situation.emitIntermediateThoughts) return response;
  return shouldEmitResponseText(situation) ? stripThinkBlocks(response) : '';
}
