import type { ToolCatalogue } from './tool-catalogue.js';
import type { ToolLoad } from './tool-context.js';

/** Where tools come from: what is built in, the servers of a tenant, other agents, or several of these together. */
export abstract class ToolSource {
  /**
   * The tools that one run may call, no others: asked once for every attempt and scope, before its first round. Throws
   * an `AppError` of kind `invalid_input` where something that the agent names is not there any more: the execution
   * fails with its code and message. With one of kind `unavailable` or `timeout` that is `retryable` it is requeued and
   * tried again later, as with a lost database, until its time is up; any other error ends it `INTERNAL_ERROR`. One
   * that has not answered after 20 seconds is left behind, whether it minds the signal or not: `TOOLS_UNAVAILABLE`. Where
   * the execution is cancelled or its time is up, that is how it ends, whatever becomes of its sources.
   */
  abstract load(context: ToolLoad): Promise<ToolCatalogue>;
}
