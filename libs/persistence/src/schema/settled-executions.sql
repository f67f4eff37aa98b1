-- Settled executions are final: any later change of such a row fails, whichever program attempts it.
-- This file is the current text; test/integration/migrate/schema-text.spec.ts compares it with the database. To change
-- it, edit it and add a migration that runs it.

CREATE OR REPLACE FUNCTION refuse_change_of_settled_execution() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'execution % is settled and cannot change', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END $$;

CREATE OR REPLACE TRIGGER execution_settled_is_final BEFORE UPDATE ON execution FOR EACH ROW
  WHEN (OLD.status IN ('completed', 'incomplete', 'failed', 'cancelled'))
  EXECUTE FUNCTION refuse_change_of_settled_execution();
