import type { AttachedFile, DataOf, DataSchemas, ResponseAnnotation } from '#libs/tooling';
import { z } from 'zod';
import { outputReportSchema } from '../agent-results/output-report.js';
import { domSnapshotInputSchema } from './dom-snapshot.js';

/** Data that the front end may send with a message (S2-22); attachments are handled by the service. */
export const inputSchemas = {
  customerAccountNumber: z.number().int(),
  customerAccountName: z.string().max(200),
  branchOrgId: z.number().int(),
  domSnapshot: domSnapshotInputSchema,
} satisfies DataSchemas;

/** Data that tools add to the next message; a front end cannot send it (S2-23). */
export const bakedSchemas = {
  savedOrderRequestId: z.number().int(),
  referencedOrderRequestId: z.number().int(),
  outputReport: outputReportSchema,
} satisfies DataSchemas;

/** Message data from the front end (S2-22). */
export type ChatMessageAdditionalDataInput = DataOf<typeof inputSchemas> & {
  readonly attachments?: readonly AttachedFile[];
};

/** Message data added by this domain's tools. */
export type BakedByOrderEntry = DataOf<typeof bakedSchemas>;

/** Message data as stored (S2-23); the service itself adds the provider's file annotations. */
export type ChatMessageAdditionalData = ChatMessageAdditionalDataInput &
  BakedByOrderEntry & { readonly openaiFileAnnotations?: readonly ResponseAnnotation[] };
