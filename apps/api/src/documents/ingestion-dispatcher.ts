import { Dispatcher } from '#libs/executions';
import type { DueIngestion } from '#libs/knowledge';

/** Sends the jobs of documents that were given, without waiting for housekeeping to find them. */
export class IngestionDispatcher extends Dispatcher<DueIngestion> {}
