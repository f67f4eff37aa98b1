import { Dispatcher } from '#libs/executions';
import type { DueIngestion } from '#libs/knowledge';

/** Dispatches ingestion jobs at once, without waiting for housekeeping to find them. */
export class IngestionDispatcher extends Dispatcher<DueIngestion> {}
