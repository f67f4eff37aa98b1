import { AppError, isJsonObject, toStorableJson } from '#libs/kernel';
import type { StagedChange } from '#libs/tooling';
import { z } from 'zod';
import { orderEntryPayloadSchema } from '../order-draft/order-entry-payload.js';

/** The kind of the staged change that {@link applyOrderRequestSaved} applies. */
export const ORDER_REQUEST_SAVED = 'order_request.saved';

const orderRequestSavedSchema = z.object({
  id: z.number().int().positive(),
  customerId: z.number().int().positive().nullable(),
  customerName: z.string().nullable(),
  payload: orderEntryPayloadSchema,
});

/** A drafted order that waits for its execution to settle; `id` is already reserved. */
export type OrderRequestSaved = z.infer<typeof orderRequestSavedSchema>;

/** The draft as a staged change, with text that PostgreSQL can store. */
export function stageOrderRequest(saved: OrderRequestSaved): StagedChange {
  const data = toStorableJson(saved);
  if (!isJsonObject(data)) throw malformed();
  return { kind: ORDER_REQUEST_SAVED, data };
}

/** Reads a staged change back from the journal; `STAGED_CHANGE_INVALID` when it is of another kind or shape. */
export function parseOrderRequestSaved(change: StagedChange): OrderRequestSaved {
  const parsed = orderRequestSavedSchema.safeParse(change.data);
  if (change.kind !== ORDER_REQUEST_SAVED || !parsed.success) throw malformed();
  return parsed.data;
}

function malformed(): AppError {
  return new AppError({
    code: 'STAGED_CHANGE_INVALID',
    kind: 'internal',
    message: `this is not a staged change of the kind ${ORDER_REQUEST_SAVED}`,
  });
}
