-- Pause before an execution is tried again after its worker was lost.
-- This file is the current text; test/integration/migrate/schema-text.spec.ts compares it with the database. To change
-- it, edit it and add a migration that runs it.

-- No pause after the first loss; then 1 s, doubled with each loss up to 30 s, and shortened at random by up to a half.
-- `seed` decides the random part, so that every caller computes the same pause.
CREATE OR REPLACE FUNCTION retry_delay(losses int, seed text) RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN losses <= 0 THEN interval '0'
                ELSE least(30, power(2, least(losses, 10) - 1)) * (1 - (hashtext(seed) & 1023) / 2046.0)
                     * interval '1 second'
           END $$;
