export interface ResponseTextSituation {
  readonly hasToolCalls: boolean;
  readonly emitIntermediateThoughts: boolean;
  /** Whether this is the last round within the iteration limit. */
  readonly isLastRound: boolean;
}

/** Whether the user sees the text of a round (S0-28 … S0-30). */
export function shouldEmitResponseText(situation: ResponseTextSituation): boolean {
  return !situation.hasToolCalls || situation.emitIntermediateThoughts || situation.isLastRound;
}
