import type { OutputReport } from './output-report.ts';

/** Answer of the last step of the workflow. The report is added to the message, too, for the user interface. */
export interface OrderEntryWorkflowResult {
  readonly message: string;
  readonly outputReport: OutputReport;
}
