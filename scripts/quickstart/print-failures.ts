import { RefusedByApiError, UnreachableApiError } from './api-client.ts';

/** Prints an API error as one line and exits with code 1. Unexpected errors keep their stack. */
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
