import { RefusedByApiError, UnreachableApiError } from './api-client.ts';

/**
 * What this program ends with, where that is the API: one line to whoever runs it, and exit code 1. What nobody has foreseen
 * keeps its stack.
 */
export function printFailures(): void {
  process.on('uncaughtException', (error) => {
    console.error(wordsOf(error));
    process.exit(1);
  });
}

function wordsOf(error: Error): unknown {
  if (error instanceof UnreachableApiError)
    return `${error.message} Start it with \`npm run quickstart\`; where that names another address, set API to it, or say \`npm run example\`, which finds it.`;
  return error instanceof RefusedByApiError ? error.message : error;
}
