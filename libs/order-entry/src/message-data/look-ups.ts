import type { LookUp } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { Customer } from '../entities/customer.entity.js';
import { outlineOrderRequest } from '../order-requests/describe-order-request.js';
import { readOrderRequest } from '../order-requests/read-order-request.js';
import { MAX_ID } from '../order-requests/order-request-id.js';

/** Current state of an order that an earlier message named; a person may have changed it since. */
const lookUpOrderRequest: LookUp<EntityManager> = async (id, { tenantId }, { manager }) => {
  if (!isId(id)) return null;
  const order = await readOrderRequest(manager, tenantId, id);
  return order && outlineOrderRequest(order);
};

/** Name of the customer with this account number. */
const lookUpCustomer: LookUp<EntityManager> = async (accountNumber, { tenantId }, { manager }) => {
  if (!isId(accountNumber)) return null;
  const customer = await manager.findOneBy(Customer, { tenantId, accountNumber });
  return customer?.name ?? null;
};

/** Current data that is shown to the model beside the stored message data (S2-26). */
export const orderEntryLookUps = {
  customerAccountNumber: lookUpCustomer,
  savedOrderRequestId: lookUpOrderRequest,
  referencedOrderRequestId: lookUpOrderRequest,
};

/** The database column rejects other numbers. */
function isId(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_ID;
}
