import { Retriever } from '#libs/executions';
import { AppError } from '#libs/kernel';

/** Of a worker that can look through no documents: what asks for that fails, and says so. */
export class WithoutDocuments extends Retriever {
  override retrieve(): Promise<never> {
    const message = 'Documents cannot be searched here.';
    return Promise.reject(new AppError({ code: 'RETRIEVAL_FAILED', kind: 'unprocessable', message }));
  }
}
