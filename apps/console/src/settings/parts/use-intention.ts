import { useState } from 'react';
import { newIdempotencyKey } from '../../api/client.js';
import { problemOf } from '../../api/problem.js';

/**
 * The idempotency key of an intention. It stays after a try whose outcome is unknown, so that the next one makes nothing
 * twice, and is replaced once the service has answered.
 */
export function useIntention() {
  const [header, setHeader] = useState(newIdempotencyKey);
  return {
    header,
    onSettled: (_data: unknown, error: unknown): void => {
      const status = error === null ? 200 : problemOf(error).status;
      if (status !== 0 && status < 500) setHeader(newIdempotencyKey());
    },
  };
}
