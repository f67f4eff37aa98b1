import { MAX_FILE_BYTES, type ToolOutput, type ToolReturn } from '#libs/tooling';

/** A response with its complete body. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** URL of the request, used for file names. */
  readonly url: string;
}

export const TOO_LARGE_TEXT = 'Response too large to process';

const MAX_ERROR = 500;
const MAX_LINK = 4_096;
/** Other statuses are errors for the model, including redirects to another host, which are not followed. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Converts a response for the model (3.I-12): text unchanged, bytes as a file, errors as `HTTP 404: …`.
 *
 * @param hide redacts secrets, because a service may repeat what it was sent
 */
export function readAnswer(answer: ReadAnswer, hide: (text: string) => string): ToolReturn {
  const { status, headers, body, url } = answer;
  const mediaType = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const text = textOf(body, mediaType, headers);
  if (!isSuccess(status)) {
    const said = hide(text ?? '')
      .slice(0, MAX_ERROR)
      .toWellFormed();
    return errorAnswer(`HTTP ${status}: ${said}`, { status });
  }
  const result = { status: 'success' as const, result: { status } };
  if (text !== null) {
    const said = textOutput(text === '' ? `HTTP ${status}` : hide(text));
    return { result, outputs: [said, ...nextPage(headers, hide)] };
  }
  if (body.byteLength > MAX_FILE_BYTES) return errorAnswer(TOO_LARGE_TEXT, { status });
  const file: ToolOutput = {
    type: 'blob',
    base64: Buffer.from(body).toString('base64'),
    mimeType: mediaType === '' ? 'application/octet-stream' : mediaType,
    filename: filenameOf(headers, url),
  };
  return { result, outputs: [file] };
}

/** The `Link` header of a paged list (RFC 8288); some services name the next page only there. */
function nextPage(headers: Headers, hide: (text: string) => string): ToolOutput[] {
  const link = headers.get('link') ?? '';
  if (!/;\s*rel="?next\b/i.test(link) || link.length > MAX_LINK) return [];
  return [textOutput(`\nLink: ${hide(link)}`)];
}

export function errorAnswer(text: string, details: { readonly status?: number } = {}): ToolReturn {
  return {
    result: { status: 'error', result: { message: text, ...details } },
    outputs: [textOutput(text)],
  };
}

function textOutput(text: string): ToolOutput {
  return { type: 'text', text };
}

const TEXTS =
  /^text\/|^application\/(json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql)$|[+/-](json|xml|yaml)$/;

/** The body as text; null for binary data. A body without a content type counts as text if it is valid UTF-8. */
function textOf(body: Uint8Array, mediaType: string, headers: Headers): string | null {
  if (body.byteLength === 0) return '';
  if (mediaType !== '' && !TEXTS.test(mediaType)) return null;
  const charset = /charset="?([\w-]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: mediaType === '' }).decode(body);
  } catch {
    return mediaType === '' ? null : new TextDecoder().decode(body);
  }
}

function filenameOf(headers: Headers, url: string): string {
  const said = /filename="?([^";]+)/i.exec(headers.get('content-disposition') ?? '')?.[1];
  return said?.trim() ?? URL.parse(url)?.pathname.split('/').at(-1) ?? '';
}
