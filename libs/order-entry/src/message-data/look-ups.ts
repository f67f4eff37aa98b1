import type { LookUp } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { Customer } from '../entities/customer.entity.js';
import { outlineOrderRequest } from '../order-requests/describe-order-request.js';
import { readOrderRequest } from '../order-requests/read-order-request.js';
import { GREATEST_ID } from '../order-requests/order-request-id.js';

/** What has become of an order since a message named it: a person may have changed it meanwhile. */
const lookUpOrderRequest: LookUp<EntityManager> = async (id, { tenantId }, { manager }) => {
  if (!isId(id)) return null;
  const order = await readOrderRequest(manager, tenantId, id);
  return order && outlineOrderRequest(order);
};

/** Who has this number in the front end. */
const lookUpCustomer: LookUp<EntityManager> = async (accountNumber, { tenantId }, { manager }) => {
  if (!isId(accountNumber)) return null;
  const customer = await manager.findOneBy(Customer, { tenantId, accountNumber });
  return customer?.name ?? null;
};

/** What the model reads of messages beside what they carry (S2-26). */
export const orderEntryLookUps = {
  customerAccountNumber: lookUpCustomer,
  savedOrderRequestId: lookUpOrderRequest,
  referencedOrderRequestId: lookUpOrderRequest,
};

/** Other numbers are refused by the database. */
function isId(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= GREATEST_ID;
}
