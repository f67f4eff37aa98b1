import type { FunctionCallResult, ToolReturn } from '#libs/tooling';
import type { BakedByOrderEntry } from '../message-data/additional-data.js';
import type { OutpurReport } from './output-report.js';

/** Answer of the order entry workflow's tools (S2-18). The report is baked into the message, too, for the user interface. */
export interface OrderEntryWorkflowFunctionCallResult extends FunctionCallResult {
  readonly result: { readonly message?: string; readonly outputReport?: OutpurReport };
}

/** Returns the workflow's report, and bakes it into the next message (S2-18, S2-24). */
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
