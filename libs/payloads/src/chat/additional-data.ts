import { z } from 'zod';
import { jsonObjectSchema } from '../json-schemas.js';

/** What the front end may send along with a message (S2-22). */
export const additionalDataInputSchema = z.strictObject({
  customerAccountNumber: z.number().int().optional(),
  customerAccountName: z.string().max(200).optional(),
  branchOrgId: z.number().int().optional(),
  attachments: z.array(jsonObjectSchema).max(50).optional(),
  domSnapshot: jsonObjectSchema.optional(),
});

/** What the service adds while it works (S2-23): results of tools that the user interface shows. */
export const bakedDataSchema = z.object({
  savedOrderRequestId: z.number().int().optional(),
  referencedOrderRequestId: z.number().int().optional(),
  outputReport: jsonObjectSchema.optional(),
  openaiFileAnnotations: z.array(jsonObjectSchema).optional(),
});

/** `ChatMessage.data` as stored: the front end's part and the service's part. */
export const additionalDataSchema = additionalDataInputSchema.extend(bakedDataSchema.shape);

export type AdditionalDataInput = z.infer<typeof additionalDataInputSchema>;
export type BakedData = z.infer<typeof bakedDataSchema>;
export type AdditionalData = z.infer<typeof additionalDataSchema>;

/** Keeps what a tool just produced for the next assistant message; empty values are not held, the last value wins (S2-28). */
export function holdBakedData(held: BakedData, produced: BakedData | undefined): BakedData {
  if (produced === undefined) return held;
  const truthy = Object.entries(produced).filter(([, value]) => Boolean(value));
  return { ...held, ...Object.fromEntries(truthy) };
}
