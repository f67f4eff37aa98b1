/** Characters that `encodeURIComponent` keeps but a header attribute must escape (RFC 8187, 3.2.1). */
const NO_ATTRIBUTE = /['()*]/g;
const NO_NAME = /[\u0000-\u001f\u007f/\\]/g;

/**
 * Pure: the `Content-Disposition` with which a browser saves a download under this name and never displays it (RFC 6266).
 * @param name well-formed text
 */
export function attachmentNamed(name: string): string {
  const escape = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  const encoded = encodeURIComponent(name.replace(NO_NAME, '_')).replace(NO_ATTRIBUTE, escape);
  return `attachment; filename*=UTF-8''${encoded}`;
}
