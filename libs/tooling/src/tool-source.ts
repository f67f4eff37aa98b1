import type { ToolCatalogue } from './tool-catalogue.js';
import type { ToolLoad } from './tool-context.js';

/** A source of tools: built-in tools, a tenant's tool servers, other agents, or several of these combined. */
export abstract class ToolSource {
  /**
   * Loads the tools that one run may call; called per attempt and scope, before the first round. An `AppError` of kind
   * `invalid_input`, e.g. because the agent names something that no longer exists, fails the execution with its code
   * and message. A retryable error of kind `unavailable` or `timeout` requeues the execution until its time is up; any
   * other error ends it as `INTERNAL_ERROR`. A source that has not answered after 20 seconds is abandoned with
   * `TOOLS_UNAVAILABLE`, even if it ignores the signal. Cancellation and the execution's deadline take precedence over
   * errors of its sources.
   */
  abstract load(context: ToolLoad): Promise<ToolCatalogue>;
}
