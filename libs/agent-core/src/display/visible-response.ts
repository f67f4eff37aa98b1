import { shouldEmitResponseText, type ResponseTextSituation } from './should-emit-response-text.js';
import { stripThinkBlocks } from './think-blocks.js';

/**
 * The part of a model's response that its user may see (S0-25 … S0-27), for the stored message and the data of `log`
 * events. The journal keeps the full text for the model.
 */
export function visibleResponse(response: string, situation: ResponseTextSituation): string {
  if (situation.emitIntermediateThoughts) return response;
  return shouldEmitResponseText(situation) ? stripThinkBlocks(response) : '';
}
