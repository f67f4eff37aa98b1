import type { LookUp } from 'capstan/kit';
import { outlineOrderRequest } from '../order-requests/describe-order-request.ts';
import { readOrderRequest } from '../order-requests/read-order-request.ts';
import { MAX_ID } from '../values.ts';

/** Current state of an order that an earlier message named; a person may have changed it since. */
const lookUpOrderRequest: LookUp = async (id, { tenantId }, { database }) => {
  if (!isId(id)) return null;
  const order = await readOrderRequest(database, tenantId, id);
  return order && outlineOrderRequest(order);
};

const NAME_SQL = 'SELECT name FROM order_entry.customer WHERE tenant_id = $1 AND account_number = $2';

/** Name of the customer with this account number. */
const lookUpCustomer: LookUp = async (accountNumber, { tenantId }, { database }) => {
  if (!isId(accountNumber)) return null;
  const [customer] = await database.query<{ readonly name: string }>(NAME_SQL, [tenantId, accountNumber]);
  return customer?.name ?? null;
};

/** Current data that is shown to the model beside the stored message data. */
export const orderEntryLookUps = {
  customerAccountNumber: lookUpCustomer,
  savedOrderRequestId: lookUpOrderRequest,
  referencedOrderRequestId: lookUpOrderRequest,
};

/** The database column rejects other numbers. */
function isId(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_ID;
}
