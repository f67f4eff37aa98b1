import { toast } from 'sonner';
import type { AgentWarning } from '../api/types.js';

/** Shows what the service noticed in an agent that it has saved all the same. */
export function showWarnings(warnings: readonly AgentWarning[] | undefined): void {
  for (const { pointer, detail } of warnings ?? []) {
    toast.warning(`${pointer.replace('#/', '').replaceAll('/', ' / ')} ${detail}`, { duration: 15_000 });
  }
}
