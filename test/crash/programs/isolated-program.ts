import { fileURLToPath } from 'node:url';

/** Runs the suspects of the decorated workers, decorated alike. */
export const CRASH_ISOLATED = fileURLToPath(new URL('./crash-isolated.js', import.meta.url));
