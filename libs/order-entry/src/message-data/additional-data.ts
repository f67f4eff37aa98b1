import type { AttachedFile, DataOf, DataSchemas, ResponseAnnotation } from '#libs/tooling';
import { z } from 'zod';
import { outputReportSchema } from '../agent-results/output-report.js';
import { domSnapshotInputSchema } from './dom-snapshot.js';

/** What the front end may send with a message, beside attachments, which the service itself takes (S2-22). */
export const inputSchemas = {
  customerAccountNumber: z.number().int(),
  customerAccountName: z.string().max(200),
  branchOrgId: z.number().int(),
  domSnapshot: domSnapshotInputSchema,
} satisfies DataSchemas;

/** What its tools add to the answer that follows them, and no front end may send (S2-23). */
export const bakedSchemas = {
  savedOrderRequestId: z.number().int(),
  referencedOrderRequestId: z.number().int(),
  outputReport: outputReportSchema,
} satisfies DataSchemas;

/** The data of a message as the front end sends it (S2-22). */
export type ChatMessageAdditionalDataInput = DataOf<typeof inputSchemas> & {
  readonly attachments?: readonly AttachedFile[];
};

/** The part of it that this domain's tools add. */
export type BakedByOrderEntry = DataOf<typeof bakedSchemas>;

/** The data of a message as it is kept (S2-23); what the provider says of places in files the service itself adds. */
export type ChatMessageAdditionalData = ChatMessageAdditionalDataInput &
  BakedByOrderEntry & { readonly openaiFileAnnotations?: readonly ResponseAnnotation[] };
