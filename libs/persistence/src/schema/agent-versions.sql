-- Versions of agents: every change of an agent's content is kept as a version, in the transaction of the change.
-- This file is the current text; test/integration/migrate/schema-text.spec.ts compares it with the database. To change
-- it, edit it and add a migration that runs it.

-- Raises `version` by one where the content changed and the statement did not raise it itself. A trigger, so that
-- changes by an older release or by hand are versions, too.
CREATE OR REPLACE FUNCTION count_change_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.version = OLD.version
         AND (NEW.name, NEW.usecase_type, NEW.llm_id, NEW.system_prompt, NEW.config, NEW.tools, NEW.is_active)
             IS DISTINCT FROM
             (OLD.name, OLD.usecase_type, OLD.llm_id, OLD.system_prompt, OLD.config, OLD.tools, OLD.is_active)
      THEN NEW.version := OLD.version + 1;
      END IF;
      RETURN NEW;
    END $$;

CREATE OR REPLACE TRIGGER agent_counts_changes BEFORE UPDATE ON agent FOR EACH ROW
  EXECUTE FUNCTION count_change_of_agent();

-- Stores the content under its version.
CREATE OR REPLACE FUNCTION keep_version_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO agent_version
             (agent_id, version, tenant_id, name, usecase_type, llm_id, system_prompt, config, tools, is_active)
      VALUES (NEW.id, NEW.version, NEW.tenant_id,
              NEW.name, NEW.usecase_type, NEW.llm_id, NEW.system_prompt, NEW.config, NEW.tools, NEW.is_active);
      RETURN NULL;
    END $$;

CREATE OR REPLACE TRIGGER agent_keeps_first_version AFTER INSERT ON agent FOR EACH ROW
  EXECUTE FUNCTION keep_version_of_agent();

CREATE OR REPLACE TRIGGER agent_keeps_next_version AFTER UPDATE ON agent FOR EACH ROW
  WHEN (OLD.version IS DISTINCT FROM NEW.version) EXECUTE FUNCTION keep_version_of_agent();
