import type { FunctionCallResult, ToolReturn } from '#libs/tooling';
import type { BakedByOrderEntry } from '../message-data/additional-data.js';
import type { OutpurReport } from './output-report.js';

/**
 * What the tools of the order entry workflow answer (S2-18); the report is shown by the user interface, so it is baked
 * too.
 */
export interface OrderEntryWorkflowFunctionCallResult extends FunctionCallResult {
  readonly result: { readonly message?: string; readonly outputReport?: OutpurReport };
}

/** Reports what the workflow came to, and bakes it into the answer that follows (S2-18, S2-24). */
export function reportReturn(outputReport: OutpurReport): ToolReturn & {
  readonly result: OrderEntryWorkflowFunctionCallResult;
  readonly bake: BakedByOrderEntry;
} {
  const { readyLines, openLines } = outputReport;
  const message = `The report is written: ${readyLines} lines ready, ${openLines} open.`;
  return {
    result: { status: 'success', result: { message, outputReport } },
    bake: { outputReport },
  };
}
