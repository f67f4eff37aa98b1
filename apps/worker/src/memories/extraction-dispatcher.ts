import { Dispatcher, type DueExtraction } from '#libs/executions';

/** Sends the jobs that learn of executions. */
export class ExtractionDispatcher extends Dispatcher<DueExtraction> {}
