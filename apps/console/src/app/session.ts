import { useSuspenseQuery } from '@tanstack/react-query';
import { consoleSessionQuery } from '../api/console-session.js';

/** Why an action is not available to the key that is signed in; null where it is. */
export function useMissingScope(scope: string): string | null {
  const { data } = useSuspenseQuery(consoleSessionQuery);
  if (data === null || data.auth === 'off' || data.scopes.includes(scope)) return null;
  return `Needs the scope ${scope}`;
}
