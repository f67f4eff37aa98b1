/**
 * Appends a batch under explicit ids, all or none, renews the stream's retention and publishes the append. KEYS:
 * stream. ARGV: first id, retention in ms, channel, message, then name and data of each event. Returns 0 if the first
 * id or a higher one is taken. A failed publish does not fail the append: subscribers find it by polling.
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
 * Deletes the stream if its last append is older than ARGV[2] ms. The age follows from the remaining TTL and the
 * retention (ARGV[1] ms), so no append between check and deletion is lost. Returns the number of deleted events.
 */
export const EXPIRE_SCRIPT = `
local remaining = math.max(redis.call('PTTL', KEYS[1]), 0)
if tonumber(ARGV[1]) - remaining < tonumber(ARGV[2]) then return 0 end
local events = redis.call('XLEN', KEYS[1])
redis.call('UNLINK', KEYS[1])
return events
`;
