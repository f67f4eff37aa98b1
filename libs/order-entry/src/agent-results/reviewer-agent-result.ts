import type { FunctionCallResult } from '#libs/tooling';
import type { ReviewerAgentOutput } from './reviewer-agent-output.js';

/** Answer of the reviewer agent's tools (S2-19). Only the caller gets its output; no message contains it. */
export interface ReviewerAgentFunctionCallResult extends FunctionCallResult {
  readonly result: { readonly message?: string; readonly reviewerAgentOutput?: ReviewerAgentOutput };
}
