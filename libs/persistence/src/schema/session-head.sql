-- Which execution of a conversation is its head: the first that has not ended, the only one that can run. This is the current text
-- of these functions and triggers, whichever migration brought it; test/integration/migrate/schema-text.spec.ts holds the database
-- to it. To change them, change this file, and let a new migration run what has changed.

-- Whoever accepts holds the row of the session, so nobody settles between this look and its commit. Before the first turn
-- there is none.
CREATE OR REPLACE FUNCTION find_head_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.turn_number > 1 THEN
        IF EXISTS (
          SELECT 1 FROM execution earlier
           WHERE earlier.session_id = NEW.session_id AND earlier.turn_number < NEW.turn_number AND earlier.status IN ('queued', 'running', 'requires_action'))
        THEN RETURN NEW;
        END IF;
      END IF;
      NEW.head_since := now();
      RETURN NEW;
    END $$;

CREATE OR REPLACE TRIGGER execution_follows_line BEFORE INSERT ON execution FOR EACH ROW
  EXECUTE FUNCTION find_head_of_session();

-- Whoever settles holds the row of the session already; this makes sure. Where no turn was accepted after this one there is
-- none to wake: the first of those before it is the head of the session anyway.
CREATE OR REPLACE FUNCTION wake_next_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE upcoming int;
    BEGIN
      SELECT next_turn INTO upcoming FROM chat_session WHERE id = NEW.session_id FOR NO KEY UPDATE;
      IF upcoming = NEW.turn_number + 1 THEN RETURN NULL; END IF;
      UPDATE execution SET head_since = now()
       WHERE head_since IS NULL AND id = (
         SELECT id FROM execution next WHERE next.session_id = NEW.session_id AND next.status IN ('queued', 'running', 'requires_action')
          ORDER BY next.turn_number LIMIT 1);
      RETURN NULL;
    END $$;

CREATE OR REPLACE TRIGGER execution_wakes_next AFTER UPDATE OF status ON execution FOR EACH ROW
  WHEN (OLD.status IN ('queued', 'running', 'requires_action') AND NOT NEW.status IN ('queued', 'running', 'requires_action'))
  EXECUTE FUNCTION wake_next_of_session();
