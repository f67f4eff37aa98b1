import type { UploadOptions, UploadProgress } from './call-options.js';

type OnProgress = (progress: UploadProgress) => void;

interface FormRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: FormData;
  readonly signal: AbortSignal;
}

/** The part of `XMLHttpRequest` that is used here; only browsers have it. */
interface Xhr {
  readonly upload: {
    onprogress: ((event: { readonly loaded: number; readonly total: number }) => void) | null;
  };
  readonly status: number;
  readonly responseText: string;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  onloadend: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(form: FormData): void;
  abort(): void;
}

/** Bytes that are handed to the connection at once. */
const PIECE = 64 * 1_024;

/** Sends a form. Progress is that of `XMLHttpRequest` in a browser, else that of a stream. */
export async function sendForm(
  fetchBy: typeof fetch,
  request: FormRequest,
  onProgress: UploadOptions['onProgress'],
): Promise<Response> {
  const { url, method, headers, form, signal } = request;
  if (onProgress === undefined) return fetchBy(url, { method, headers, body: form, signal });
  const { XMLHttpRequest: Sender } = globalThis as { readonly XMLHttpRequest?: new () => Xhr };
  if (Sender !== undefined) return sendByXhr(new Sender(), request, onProgress);
  // Serialized at once, for its size and the boundary of its parts.
  const whole = new Response(form);
  const type = whole.headers.get('content-type') ?? '';
  const body = inPieces(new Uint8Array(await whole.arrayBuffer()), onProgress);
  const init = {
    method,
    headers: { ...headers, 'content-type': type },
    body,
    signal,
    duplex: 'half' as const,
  };
  return fetchBy(url, init);
}

function inPieces(
  bytes: Uint8Array<ArrayBuffer>,
  onProgress: OnProgress,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sentBytes = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: (controller) => {
        onProgress({ sentBytes, totalBytes: bytes.length });
        const piece = bytes.subarray(sentBytes, sentBytes + PIECE);
        sentBytes += piece.length;
        if (piece.length > 0) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Rejects as `fetch` does: with a TypeError where there is no answer, with the reason where it is aborted. */
function sendByXhr(xhr: Xhr, request: FormRequest, onProgress: OnProgress): Promise<Response> {
  const { url, method, headers, form, signal } = request;
  return new Promise((resolve, reject) => {
    const abort = (): void => xhr.abort();
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress({ sentBytes: loaded, totalBytes: total });
    xhr.onload = () => resolve(answerOf(xhr));
    xhr.onerror = () => reject(new TypeError('The upload failed.'));
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason is the caller’s
    xhr.onabort = () => reject(signal.reason);
    xhr.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    xhr.send(form);
  });
}

function answerOf(xhr: Xhr): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().trim().split('\r\n')) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return new Response(xhr.status === 204 ? null : xhr.responseText, { status: xhr.status, headers });
}
