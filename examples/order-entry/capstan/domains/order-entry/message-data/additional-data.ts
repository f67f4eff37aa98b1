import type { DataSchemas } from 'capstan/kit';
import { z } from 'zod';
import { outputReportSchema } from '../agent-results/output-report.ts';
import { domSnapshotInputSchema } from './dom-snapshot.ts';

/** Data that the front end may send with a message; attachments are handled by the service. */
export const inputSchemas = {
  customerAccountNumber: z.number().int(),
  customerAccountName: z.string().max(200),
  branchOrgId: z.number().int(),
  domSnapshot: domSnapshotInputSchema,
} satisfies DataSchemas;

/** Data that tools add to the next message; a front end cannot send it. */
export const bakedSchemas = {
  savedOrderRequestId: z.number().int(),
  referencedOrderRequestId: z.number().int(),
  outputReport: outputReportSchema,
} satisfies DataSchemas;
