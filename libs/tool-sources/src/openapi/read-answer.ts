import { MAX_FILE_BYTES, type ToolOutput, type ToolReturn } from '#libs/tooling';

/** The answer of a service, read to its end. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Of the request, for the name of a file. */
  readonly url: string;
}

export const TOO_LARGE_TEXT = 'Response too large to process';

const LONGEST_ERROR = 500;
const LONGEST_LINK = 4_096;
/** Any other status is an error to the model; a redirect that comes here leads to another host, and is not followed. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * An answer as the model reads it (3.I-12): text as it came, bytes as a file, an error as `HTTP 404: …`.
 *
 * @param hide takes out what must not be read by a model: a service may repeat what it was sent
 */
export function readAnswer(answer: ReadAnswer, hide: (text: string) => string): ToolReturn {
  const { status, headers, body, url } = answer;
  const mediaType = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const text = textOf(body, mediaType, headers);
  if (!isSuccess(status)) {
    const said = hide(text ?? '')
      .slice(0, LONGEST_ERROR)
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

/** Where the rest of a list is, which some services say in a header alone (RFC 8288). */
function nextPage(headers: Headers, hide: (text: string) => string): ToolOutput[] {
  const link = headers.get('link') ?? '';
  if (!/;\s*rel="?next\b/i.test(link) || link.length > LONGEST_LINK) return [];
  return [textOutput(`\nLink: ${hide(link)}`)];
}

/** An error that the tool reports; the model reads the text. */
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

/** Null for what is no text. An answer that does not say what it is counts as text where it is UTF-8. */
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
