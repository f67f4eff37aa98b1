/** What an attribute of a header may not hold beside what `encodeURIComponent` leaves as it is (RFC 8187, 3.2.1). */
const NO_ATTRIBUTE = /['()*]/g;
const NO_NAME = /[\u0000-\u001f\u007f/\\]/g;

/**
 * Pure: the value of `Content-Disposition` with which a browser saves what comes under this name, and shows none of it
 * (RFC 6266).
 *
 * @param name well-formed text
 */
export function attachmentNamed(name: string): string {
  const escape = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  const encoded = encodeURIComponent(name.replace(NO_NAME, '_')).replace(NO_ATTRIBUTE, escape);
  return `attachment; filename*=UTF-8''${encoded}`;
}
