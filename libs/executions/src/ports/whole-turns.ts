import { MOST_STORED_MESSAGES, type StoredContext, type StoredMessage } from './stored-context.js';

/**
 * What of the stored messages is given to an attempt: where there is one more than may be, there are older ones, and the
 * oldest turn, which may be there in part only, is left out.
 *
 * @param stored oldest first
 */
export function wholeTurns(stored: readonly StoredMessage[]): Pick<StoredContext, 'messages' | 'hasOlder'> {
  const spoken = stored.filter(({ role }) => role !== 'system');
  if (spoken.length <= MOST_STORED_MESSAGES) return { messages: stored, hasOlder: false };
  const oldest = spoken[0]?.turnNumber;
  const isWhole = ({ role, turnNumber }: StoredMessage) => role === 'system' || turnNumber !== oldest;
  return { messages: stored.filter(isWhole), hasOlder: true };
}
