SELECT (SELECT count(*) FROM (SELECT FROM execution WHERE status = 'running' LIMIT 100000) AS running)
+ (SELECT count(*) FROM (SELECT FROM execution WHERE status = 'queued' AND head_since IS NOT NULL
AND (due_at IS NULL OR due_at <= now()) LIMIT 100000) AS due)
