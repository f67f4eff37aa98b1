-- The head of a conversation is its first execution that has not ended; only the head can run. `execution.head_since`
-- marks it.
-- This file is the current text; test/integration/migrate/schema-text.spec.ts compares it with the database. To change
-- it, edit it and add a migration that runs it.

-- Marks a new execution as head where no earlier turn is unsettled. The statement that accepts holds the row of the
-- session, so no turn settles between this check and the commit. Turn 1 has no earlier turn.
CREATE OR REPLACE FUNCTION find_head_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.turn_number > 1 THEN
        IF EXISTS (
          SELECT 1 FROM execution earlier
           WHERE earlier.session_id = NEW.session_id AND earlier.turn_number < NEW.turn_number
             AND earlier.status IN ('queued', 'running', 'requires_action'))
        THEN RETURN NEW;
        END IF;
      END IF;
      NEW.head_since := now();
      RETURN NEW;
    END $$;

CREATE OR REPLACE TRIGGER execution_follows_line BEFORE INSERT ON execution FOR EACH ROW
  EXECUTE FUNCTION find_head_of_session();

-- Marks the next turn as head once its predecessor has settled. The statement that settles holds the row of the session
-- already; FOR NO KEY UPDATE makes sure of it. Where no later turn was accepted (`upcoming`) there is none to mark.
CREATE OR REPLACE FUNCTION wake_next_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE upcoming int;
    BEGIN
      SELECT next_turn INTO upcoming FROM chat_session WHERE id = NEW.session_id FOR NO KEY UPDATE;
      IF upcoming = NEW.turn_number + 1 THEN RETURN NULL; END IF;
      UPDATE execution SET head_since = now()
       WHERE head_since IS NULL AND id = (
         SELECT id FROM execution next
          WHERE next.session_id = NEW.session_id AND next.status IN ('queued', 'running', 'requires_action')
          ORDER BY next.turn_number LIMIT 1);
      RETURN NULL;
    END $$;

CREATE OR REPLACE TRIGGER execution_wakes_next AFTER UPDATE OF status ON execution FOR EACH ROW
  WHEN (OLD.status IN ('queued', 'running', 'requires_action')
    AND NOT NEW.status IN ('queued', 'running', 'requires_action'))
  EXECUTE FUNCTION wake_next_of_session();

-- True where the session has no unsettled execution. VOLATILE, so that it sees rows that were committed while its
-- statement waited for the row of the session.
CREATE OR REPLACE FUNCTION is_session_idle(asked uuid) RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off AS $$
    BEGIN
      RETURN NOT EXISTS (
        SELECT 1 FROM execution e
         WHERE e.session_id = asked AND e.status IN ('queued', 'running', 'requires_action'));
    END $$;
