SELECT count(*) FROM (SELECT FROM document_ingestion WHERE finished_at IS NULL AND due_at <= now() LIMIT 100000) AS due
