import { signedOut } from './client.js';
import { ApiProblem, problemFrom } from './problem.js';

interface Upload {
  readonly method: 'POST' | 'PUT';
  /** Path in the API. */
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly file: File;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the bytes that were sent so far, of how many. */
  readonly onProgress: (sent: number, total: number) => void;
}

/**
 * Sends a file as a form and says how far it has come, which `fetch` cannot.
 * @returns the JSON of a successful answer
 * @throws {ApiProblem} for any other answer, and with status 0 where none came
 */
export function uploadFile({
  method,
  path,
  fields,
  file,
  headers,
  signal,
  onProgress,
}: Upload): Promise<unknown> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    const fail = (detail: string): void => {
      reject(new ApiProblem(0, 'Not sent', detail, null, null));
    };
    request.open(method, path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onerror = () => fail('The server cannot be reached, or the file can no longer be read.');
    request.onabort = () => fail('The upload was stopped.');
    request.onload = () => {
      const body = jsonOf(request.responseText);
      if (request.status >= 200 && request.status < 300) {
        resolve(body);
        return;
      }
      signedOut.report(request.status);
      reject(problemFrom(request.status, body));
    };
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    request.send(form);
    if (signal.aborted) request.abort();
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
