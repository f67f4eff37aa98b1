/** SQL of a new delivery's id. It begins with the time in milliseconds, so that ids sort by creation. */
export const DELIVERY_ID = `'evt_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
       || replace(gen_random_uuid()::text, '-', '')`;
