/** Last part of an id, which differs between ids that were made one after another (UUID v7). Pure. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(-8) : id;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);
