export interface ResponseTextSituation {
  readonly hasToolCalls: boolean;
  readonly emitIntermediateThoughts: boolean;
  /** Is this the last round that the limit of iterations permits? */
  readonly isLastRound: boolean;
}

/** Does the user see the text of a round (S0-28 … S0-30)? */
export function shouldEmitResponseText(situation: ResponseTextSituation): boolean {
  return !situation.hasToolCalls || situation.emitIntermediateThoughts || situation.isLastRound;
}
