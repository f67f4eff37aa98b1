-- The way back of the first migration.

DROP TABLE
  worker, webhook_signing_secret, webhook_breaker, webhook_attempt, webhook_delivery, webhook_endpoint,
  vector_index, usage_log, unwanted_memory, tool_trial, tool_server_oauth, token_revocation,
  tool_server_listing, skill, session_title, session_summary_order, session_summary, run_step, rate_limit,
  memory_extraction, memory, late_evidence, kept_answer, journal_entry, idempotency_key, forgotten_executor,
  file, execution_webhook, execution_token, execution, execution_event, embedding, domain_task, domain_secret,
  document_ingestion, document_search, deleted_session, connection, tool_server, chunk, document, datasource,
  chat_message, chat_session, blob_disposal, api_key, tenant, agent_version, agent, llm;

DROP FUNCTION
  count_change_of_agent, count_webhook_requests, find_head_of_session, has_room_for_webhook, is_session_idle,
  is_webhook_receiver_paused, keep_version_of_agent, places_left, places_of_a_tenant,
  refuse_change_of_settled_execution, retry_delay, room_in_queues, room_of_accepted, tenants_in_line, unsent_tenants,
  unsent_tenants_after, wake_next_of_session;
