import { fileURLToPath } from 'node:url';

/** The program of isolated attempts, decorated like the decorated workers that start it. */
export const CRASH_ISOLATED = fileURLToPath(new URL('./crash-isolated.js', import.meta.url));
