import { stripThinkBlocks } from './think-blocks.js';

interface ResponseTextSituation {
  readonly hasToolCalls: boolean;
  readonly emitIntermediateThoughts: boolean;
  /** Whether this is the last round within the iteration limit. */
  readonly isLastRound: boolean;
}

/** Whether the user sees the text of a round (S0-28 … S0-30). */
export function shouldEmitResponseText(situation: ResponseTextSituation): boolean {
  return !situation.hasToolCalls || situation.emitIntermediateThoughts || situation.isLastRound;
}

/**
 * The part of a model's response that its user may see (S0-25 … S0-27), for the stored message and the data of `log`
 * events. The journal keeps the full text for the model.
 */
export function visibleResponse(response: string, situation: ResponseTextSituation): string {
  if (situation.emitIntermediateThoughts) return response;
  return shouldEmitResponseText(situation) ? stripThinkBlocks(response) : '';
}
