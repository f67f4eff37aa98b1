/**
 * Appends a batch under explicit ids, all or none, keeps the stream alive for another retention period, and announces it.
 * KEYS: stream. ARGV: first id, retention in ms, channel, what to announce there, then name and data of each event.
 * Answers 0 when the first id or a higher one is taken. Who could not be notified finds out; the append does not fail for
 * it.
 */
export const APPEND_SCRIPT = `
local first = tonumber(ARGV[1])
local top = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if top and tonumber(string.match(top[1], '^%d+')) >= first then return 0 end
for i = 5, #ARGV, 2 do
  redis.call('XADD', KEYS[1], string.format('%.0f-0', first + (i - 5) / 2), 'event', ARGV[i], 'data', ARGV[i + 1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.pcall('PUBLISH', ARGV[3], ARGV[4])
return 1
`;

/**
 * Drops the stream when its last append is older than ARGV[2] ms; the age follows from what is left of the retention
 * (ARGV[1] ms), so an append between question and deletion cannot be lost. Answers how many events went.
 */
export const EXPIRE_SCRIPT = `
local remaining = math.max(redis.call('PTTL', KEYS[1]), 0)
if tonumber(ARGV[1]) - remaining < tonumber(ARGV[2]) then return 0 end
local events = redis.call('XLEN', KEYS[1])
redis.call('UNLINK', KEYS[1])
return events
`;
