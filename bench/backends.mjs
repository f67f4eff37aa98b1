// @ts-check
import { say, style } from '../scripts/local/terminal.ts';

/**
 * @param {import('./bench-arguments.mjs').Backend | null} wanted null: all there are
 * @param {boolean} hasRedis
 * @returns {import('./bench-arguments.mjs').Backend[]}
 */
export function backendsToRun(wanted, hasRedis) {
  if (wanted === 'redis' && !hasRedis) throw new Error('redis-server is not installed.');
  if (wanted !== null) return [wanted];
  if (!hasRedis) say(style.yellow('redis-server is not installed: the queue in PostgreSQL only.'));
  return hasRedis ? ['postgres', 'redis'] : ['postgres'];
}
