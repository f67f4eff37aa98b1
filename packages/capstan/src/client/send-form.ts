import type { UploadOptions, UploadProgress } from './call-options.js';

type OnProgress = (progress: UploadProgress) => void;

interface FormRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: FormData;
  readonly signal: AbortSignal;
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
  if ('XMLHttpRequest' in globalThis) return sendByXhr(request, onProgress);
  // Serialized at once, for its size and the boundary of its parts.
  const whole = new Response(form);
  const type = whole.headers.get('content-type') ?? '';
  const body = inPieces(new Uint8Array(await whole.arrayBuffer()), onProgress);
  const init = { method, headers: { ...headers, 'content-type': type }, body, signal, duplex: 'half' };
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
function sendByXhr(request: FormRequest, onProgress: OnProgress): Promise<Response> {
  const { url, method, headers, form, signal } = request;
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
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

function answerOf(xhr: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().trim().split('\r\n')) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return new Response(xhr.status === 204 ? null : xhr.responseText, { status: xhr.status, headers });
}
