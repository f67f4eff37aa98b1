import { answerOf, api, newIdempotencyKey } from './client.js';
import type { StoredFile } from './types.js';

/** Stores a file that executions can attach. @throws {ApiProblem} */
export function storeFile(file: File, signal: AbortSignal): Promise<StoredFile> {
  const form = new FormData();
  form.append('file', file, file.name);
  return answerOf(
    api.POST('/api/files/', {
      params: { header: newIdempotencyKey() },
      body: { file: file.name },
      bodySerializer: () => form,
      signal,
    }),
  );
}
