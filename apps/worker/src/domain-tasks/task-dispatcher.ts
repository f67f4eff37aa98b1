import { Dispatcher } from '#libs/executions';
import type { DueTask } from '#libs/persistence';

/** Sends the jobs of what domains have ordered to be done. */
export class TaskDispatcher extends Dispatcher<DueTask> {}
