import type { FunctionCallResult, ToolReturn } from '#libs/tooling';
import type { ReviewerAgentOutput } from './reviewer-agent-output.js';

/** What the reviewer agent's tools answer (S2-19). Its output is for whoever has called it. */
export interface ReviewerAgentFunctionCallResult extends FunctionCallResult {
  readonly result: { readonly message?: string; readonly reviewerAgentOutput?: ReviewerAgentOutput };
}

/** Gives a review to the caller. Nothing of it is baked: no message of the conversation has it (S2-19). */
export function reviewReturn(
  reviewerAgentOutput: ReviewerAgentOutput,
): ToolReturn & { readonly result: ReviewerAgentFunctionCallResult } {
  const { verdict, findings } = reviewerAgentOutput;
  const message =
    verdict === 'approved'
      ? `The draft is approved, with ${findings.length} remarks.`
      : `A person has to look at the draft: ${findings.length} findings.`;
  return { result: { status: 'success', result: { message, reviewerAgentOutput } } };
}
