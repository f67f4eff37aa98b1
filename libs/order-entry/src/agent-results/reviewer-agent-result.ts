import type { FunctionCallResult } from '#libs/tooling';
import type { ReviewerAgentOutput } from './reviewer-agent-output.js';

/** What the reviewer agent's tools answer (S2-19). Its output is for whoever has called it, and in no message. */
export interface ReviewerAgentFunctionCallResult extends FunctionCallResult {
  readonly result: { readonly message?: string; readonly reviewerAgentOutput?: ReviewerAgentOutput };
}
