import { toStorableText } from '#libs/kernel';
import { MAX_FILE_BYTES } from './file-sandbox.js';

/**
 * An item for the user beside the text, as a `file` event (S0-42, S1-75). `source` of an image is an http(s) URL or a
 * path under `/files`; the bytes of the latter are sent as a separate blob.
 */
export type ToolFile =
  | { readonly type: 'link'; readonly url: string }
  | { readonly type: 'image_link'; readonly url: string }
  | { readonly type: 'image'; readonly source: string }
  | {
      readonly type: 'blob';
      readonly mime_type: string;
      readonly filename: string;
      /** Bytes before encoding. */
      readonly size: number;
      readonly base64: string;
    };

const MAX_ADDRESS = 8_192;
const MAX_NAME = 255;
const MIME_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const UNNAMED = 'file';

/** The http(s) URL unchanged, or null: `javascript:` and similar URLs never reach a user. */
export function readAddress(text: string): string | null {
  if (text.length > MAX_ADDRESS || toStorableText(text) !== text) return null;
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? text : null;
}

/** Creates a blob from a tool's data; null if it is invalid base64 or exceeds the file limit (S0-41). */
export function toBlob(blob: { base64: string; mimeType: string; filename: string }): ToolFile | null {
  const size = decodedSize(blob.base64);
  if (size === null || size > MAX_FILE_BYTES) return null;
  return { type: 'blob', ...describeFile(blob.filename, blob.mimeType), size, base64: blob.base64 };
}

/** File name without folders and control characters; an invalid media type becomes `application/octet-stream`. */
export function describeFile(path: string, mimeType: string): { mime_type: string; filename: string } {
  const name = toStorableText(path.split(/[/\\]/).at(-1) ?? '')
    .replace(/\p{C}/gu, '')
    .slice(0, MAX_NAME);
  const lowerCase = mimeType.toLowerCase();
  return {
    mime_type: MIME_TYPE.test(lowerCase) ? lowerCase : 'application/octet-stream',
    filename: name === '' || name === '.' || name === '..' ? UNNAMED : name,
  };
}

function decodedSize(base64: string): number | null {
  if (base64.length > MAX_FILE_BYTES * 2 || base64.length % 4 !== 0 || !BASE64.test(base64)) return null;
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}
