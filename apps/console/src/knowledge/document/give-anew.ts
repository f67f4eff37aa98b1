import { answerOf, api } from '../../api/client.js';
import type { KnowledgeDocument } from '../../api/types.js';
import { uploadFile } from '../../api/upload.js';

type OnPart = (part: number) => void;

/** Gives a document another file. @throws {ApiProblem} */
export async function replaceByFile(id: string, file: File, onPart: OnPart): Promise<void> {
  await uploadFile({
    method: 'PUT',
    path: `/api/documents/${encodeURIComponent(id)}/content/`,
    fields: {},
    file,
    headers: {},
    signal: new AbortController().signal,
    onProgress: (sent, total) => onPart(total === 0 ? 0 : sent / total),
  });
}

/** Has a document read anew: from its URL, or from the original that is there. @throws {ApiProblem} */
export async function ingestAgain(document: KnowledgeDocument, onPart: OnPart): Promise<void> {
  const params = { path: { id: document.id } };
  if (document.url !== null) {
    await answerOf(api.PUT('/api/documents/{id}/content/', { params, body: { url: document.url } }));
    return;
  }
  const original = await answerOf(api.GET('/api/documents/{id}/content/', { params, parseAs: 'blob' }));
  const type = document.media_type ?? '';
  const file = new File([original], document.file_name ?? document.title, { type });
  await replaceByFile(document.id, file, onPart);
}
