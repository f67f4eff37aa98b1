import { Dispatcher } from '#libs/executions';
import type { DueRevocation } from '#libs/persistence';

/** Sends the jobs that revoke tokens of users whose tool servers were deleted. */
export class RevocationDispatcher extends Dispatcher<DueRevocation> {}
