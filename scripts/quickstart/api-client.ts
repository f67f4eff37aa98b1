import { z } from 'zod';

/** Client of a running API. Answers are parsed, so that scripts never print `undefined`. */
export interface ApiClient {
  readonly get: <Answer>(path: string, schema: z.ZodType<Answer>) => Promise<Answer>;
  readonly post: <Answer>(path: string, body: unknown, schema: z.ZodType<Answer>) => Promise<Answer>;
  readonly delete: (path: string) => Promise<void>;
  /** An answer that is read as it arrives. */
  readonly stream: (path: string, headers: Readonly<Record<string, string>>) => Promise<Response>;
}

/** The API answered with a status other than 2xx. The message is one readable line. */
export class RefusedByApiError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'RefusedByApiError';
    this.status = status;
  }
}

/** The API did not answer. The message is one readable line. */
class UnreachableApiError extends Error {
  constructor(baseUrl: string, cause: unknown) {
    super(`Nothing answers at ${baseUrl}.`, { cause });
    this.name = 'UnreachableApiError';
  }
}

/**
 * @param signal aborts every call
 * @param apiKey default API_KEY; null sends none, which AUTH=off allows
 * @returns calls throw `RefusedByApiError` for a status other than 2xx, and `UnreachableApiError` without an answer
 */
export function createApiClient(
  baseUrl: string,
  signal: AbortSignal | null = null,
  apiKey: string | null = process.env['API_KEY'] ?? null,
): ApiClient {
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (apiKey !== null) headers.set('authorization', `Bearer ${apiKey}`);
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers, signal }).catch(
      (error: unknown) => {
        signal?.throwIfAborted();
        throw new UnreachableApiError(baseUrl, error);
      },
    );
    if (response.ok) return response;
    const reason = await readReason(response);
    throw new RefusedByApiError(
      `${init.method ?? 'GET'} ${path} answered ${response.status}: ${reason}`,
      response.status,
    );
  };
  return {
    get: async (path, schema) => schema.parse(await (await call(path)).json()),
    post: async (path, body, schema) => {
      const headers = { 'content-type': 'application/json' };
      const response = await call(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return schema.parse(await response.json());
    },
    delete: async (path) => {
      await call(path, { method: 'DELETE' });
    },
    stream: (path, headers) => call(path, { headers }),
  };
}

const PROBLEM = z.object({ detail: z.string().optional(), title: z.string().optional() });

async function readReason(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const problem = PROBLEM.parse(JSON.parse(text));
    return problem.detail ?? problem.title ?? text;
  } catch {
    return text.slice(0, 300);
  }
}
