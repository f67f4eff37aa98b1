/** Last part of an id, which differs between ids that were made one after another (UUID v7). Pure. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(-8) : id;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of a webhook delivery. Pure. */
export const isDeliveryId = (text: string): boolean => /^evt_[0-9a-f-]{1,64}$/.test(text);

export const isUuid = (text: string): boolean => UUID.test(text);
