import type { Provider } from '@nestjs/common';
import { Retriever } from '#libs/executions';
import { WithoutDocuments } from './without-documents.js';

/** Looking through documents, for the runs of this process. */
export const retrieveProvider: Provider = { provide: Retriever, useClass: WithoutDocuments };
