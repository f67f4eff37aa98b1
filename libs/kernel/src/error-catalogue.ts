import {
  alsoOfDocuments,
  alsoOfExecutions,
  answer,
  execution,
  ofDocuments,
  operator,
  type ErrorDescription,
} from './error-description.js';

const MEND = 'Change the request as `errors` says.';
const LATER = 'Try again after `Retry-After`.';
const REPORT = 'Report it with the request id.';
const OURS = 'It is a mistake in the program: report it.';

/** Every code that the service uses, and nothing else; `docs/errors.md` and the OpenAPI document are made of it. */
export const ERROR_CATALOGUE = {
  API_KEY_NOT_CURRENT: answer(
    409,
    'The API key is revoked, expired or replaced already.',
    'Use the key that replaces it, or make a new one.',
  ),
  API_KEY_OUTLIVES_MAKER: answer(
    403,
    'An API key would be good for longer than the one that makes or rotates it.',
    'Give an earlier `expires_at`, or use a key that ends later.',
  ),
  LOOK_UPS_UNAVAILABLE: operator('What messages carry cannot be looked up.', 'None; it is tried again.'),
  ATTACHMENTS_UNAVAILABLE: operator('Attached files cannot be reached.', 'None; it is tried again.'),
  ALREADY_DECIDED: answer(
    409,
    'Another decision over the tool call was taken before.',
    'Read the decisions of its step.',
  ),
  ATTACHMENT_LOST: alsoOfExecutions(answer(422, 'An attached file is gone.', 'Upload and attach it anew.')),
  ATTACHMENT_UNREADABLE: execution('An attached file cannot be read.', 'Look at the message.'),
  BAD_REQUEST: answer(400, 'The bytes are no valid HTTP request.', 'Mend the client.'),
  BODY_TOO_LARGE: answer(
    413,
    'The body is longer than 1 MiB, or than 24 MiB where it is a tool server, or a file than is allowed for files.',
    'Send less.',
  ),
  CANCELLED: execution('Somebody cancelled it.', 'Nothing; `retry` runs it again as a new one.'),
  CLAIM_NOT_SEEN: operator(
    'A claim of which no answer came is not there yet.',
    'None; it is looked for again.',
  ),
  CONNECTION_FAILED: answer(
    422,
    'A user could not be connected to a tool server: the authorization server refused, or is of no use.',
    'Look at the message, mend what it says, and begin again.',
  ),
  CONNECTION_NEEDED: execution(
    'A tool server that the agent names is used on behalf of a user, who has not agreed to it, or whose tokens are taken no more.',
    'Have the user of `executor` connect (`/api/connections/`), then retry the execution.',
  ),
  CONNECTION_STATE_UNKNOWN: answer(
    422,
    'Nobody was sent to an authorization server with this `state`, or it was used, or ten minutes are over.',
    'Begin again.',
  ),
  CONVERSATION_LOCKED: answer(
    409,
    'The conversation is in use, and `on_conflict` is `reject`.',
    'Wait for its turn to end, or enqueue.',
  ),
  DATABASE_BUSY: answer(503, 'Something holds locks that the request waits for.', LATER),
  DATABASE_NOT_MIGRATED: operator(
    'The database lacks migrations of this release.',
    'Run `npm run db:migrate`.',
  ),
  DATABASE_POOLED: operator('The database is behind a connection pooler.', 'Set `DATABASE_DIRECT_URL`.'),
  DATABASE_UNAVAILABLE: answer(503, 'PostgreSQL cannot be reached.', LATER),
  DATASOURCE_IN_USE: answer(409, 'The datasource has documents.', 'Remove them first.'),
  DATASOURCE_NAME_TAKEN: answer(409, 'Another datasource of the tenant has this name.', 'Use another name.'),
  DECIMAL_INVALID: operator('A price or budget is no decimal number.', OURS),
  DENIED: answer(403, 'This is not allowed.', 'Use another key.'),
  DOCUMENTS_NOT_CONFIGURED: answer(
    422,
    'Documents cannot be given without a place for their originals.',
    'Have `DOCUMENTS_ROOT` or `S3_BUCKET` set, also for the API.',
  ),
  DOCUMENT_DAMAGED: ofDocuments('It breaks its format, or is a text but no UTF-8.', 'Mend and replace it.'),
  DOCUMENT_EMPTY: ofDocuments('It has no bytes.', 'Replace it.'),
  DOCUMENT_ENCRYPTED: ofDocuments('It wants a password.', 'Replace it by one that wants none.'),
  DOCUMENT_LOST: ofDocuments('Its original is gone, or another one.', 'Replace it; look after the store.'),
  DOCUMENT_NOT_FETCHED: ofDocuments('Its URL does not answer with 200.', 'Mend the URL, and replace it.'),
  DOCUMENT_TOO_COMPLEX: ofDocuments('Reading it takes too much time, memory or text.', 'Divide it.'),
  DOCUMENT_TOO_LARGE: ofDocuments('It has more than `DOCUMENT_MAX_BYTES`.', 'Divide it.'),
  DOCUMENT_TYPE_UNSUPPORTED: ofDocuments(
    'It is of a kind that cannot be read, or not what its name says.',
    'Give Markdown, HTML, PDF, DOCX, CSV or text.',
  ),
  DOCUMENT_WITHOUT_TEXT: ofDocuments('Nothing in it is text.', 'Have the text of a scan recognized first.'),
  DOMAIN_INVALID: operator('A domain contradicts itself or another one.', 'Mend its definition.'),
  EMBEDDING_FAILED: ofDocuments(
    'The model does not answer with the vectors that its datasource wants.',
    'Mend the model configuration, and replace the document.',
  ),
  ENCRYPTION_NOT_CONFIGURED: answer(
    422,
    'Secrets cannot be stored without `ENCRYPTION_KEY`.',
    'Have it set.',
  ),
  EVENT_NUMBER_TAKEN: operator('Another worker writes these events.', 'None; that one goes on.'),
  EVENT_STREAM_UNAVAILABLE: answer(503, 'Live events cannot be reached.', LATER),
  EXPECTATION_FAILED: answer(417, '`Expect` is something else than `100-continue`.', 'Leave it out.'),
  FILES_NOT_CONFIGURED: answer(
    422,
    'There is no place for files.',
    'Have `DOCUMENTS_ROOT` or `S3_BUCKET` set.',
  ),
  FILES_ROOT_INVALID: operator(
    '`FILES_ROOT` is no folder that can be used.',
    'Mend the variable or the folder.',
  ),
  FILE_QUOTA_EXCEEDED: answer(
    [413, 429],
    'The tenant has as many files, or bytes, as it may.',
    'Delete some.',
  ),
  FILE_STORE_UNAVAILABLE: answer(503, 'The store of files fails, or does not answer.', LATER),
  HEADERS_TOO_LARGE: answer(431, 'The headers are longer than 16 KiB together.', 'Send fewer.'),
  IDEMPOTENCY_KEY_REUSED: answer(
    422,
    'The `Idempotency-Key` came with another body before.',
    'Use a new key.',
  ),
  INACTIVE_RESOURCE: alsoOfExecutions(
    answer(
      [400, 409],
      'The agent, model, tenant or session is not active.',
      'Activate it, or use another one.',
    ),
  ),
  INGESTION_FAILED: ofDocuments('A step fails, for no known reason.', 'Replace it; see the log of workers.'),
  INSUFFICIENT_SCOPE: answer(403, 'The API key lacks the scope that is named.', 'Use a key that has it.'),
  INTERNAL_ERROR: alsoOfExecutions(answer(500, 'Something went wrong on the server.', REPORT)),
  INVALID_CONFIGURATION: operator(
    'An environment variable or option is wrong; the message names it.',
    'Mend it.',
  ),
  INVALID_CREDENTIALS: alsoOfExecutions(
    answer(400, 'The credentials of a model configuration cannot be used.', 'Mend the field that is named.'),
  ),
  INVALID_JOB: operator(
    'A job does not have the shape of the catalogue.',
    'Look for a worker of another release.',
  ),
  INVALID_JSON: answer(400, 'The body is not JSON in UTF-8.', MEND),
  INVALID_MODEL_DESCRIPTION: operator(
    'A description in the model catalogue is wrong.',
    'Mend the file that is named.',
  ),
  INVALID_MODEL_PARAMETER: alsoOfExecutions(
    answer(400, 'A parameter is out of range, or the model does not take it.', MEND),
  ),
  INVALID_SCOPE: operator('There is no such scope of API keys.', 'Use one of those that are listed.'),
  INVALID_TENANT: operator('No tenant can have this id.', 'Use letters, digits, `_` and `-`.'),
  JOURNAL_DAMAGED: operator(
    'Facts of an execution are missing or cannot be read.',
    'Restore them, or let it fail.',
  ),
  JOURNAL_TOO_NEW: operator(
    'A newer release wrote the journal.',
    'None; a worker of that release goes on with it.',
  ),
  JSON_TOO_DEEP: answer(400, 'The body is nested too deep.', MEND),
  JSON_TOO_MANY_KEYS: answer(400, 'The body has too many keys.', MEND),
  KNOWLEDGE_QUOTA_EXCEEDED: alsoOfDocuments(
    answer([413, 429], 'The tenant has as many documents, bytes or chunks as it may.', 'Remove some.'),
  ),
  LAST_ADMIN_KEY: answer(
    409,
    'It is the last key with the scope `admin` that goes on.',
    'Make or rotate one first; the command line takes `--force`.',
  ),
  LEASE_LOST: operator('Another worker has taken the execution over.', 'None; that one goes on.'),
  LLM_IN_USE: answer(409, 'Agents use the model configuration.', 'Give them another one first.'),
  MEMORY_EXISTS: answer(409, 'This is remembered of the executor already.', 'Change the one that is there.'),
  METHOD_NOT_ALLOWED: answer(405, 'The path does not take this method.', 'Use one of those in `Allow`.'),
  MODEL_HOST_UNAVAILABLE: operator('Nobody reaches the host of a model.', 'None; its executions wait.'),
  NOT_CONNECTED: answer(
    503,
    'The worker that asked an authorization server has not answered.',
    'Begin again.',
  ),
  NOT_FOUND: alsoOfExecutions(answer(404, 'There is no such thing for this tenant.', 'Look at the id.')),
  NOT_LOCAL: answer(
    403,
    'Where no key is asked for, only this machine may ask.',
    'Use keys: `AUTH=api-key`.',
  ),
  NOT_PRESENT: operator('The worker has lost its connection to the database.', 'None; it opens another one.'),
  NOT_READY: answer(503, 'The process cannot do its work at the moment.', LATER),
  NOT_SETTLED: answer(409, 'The execution has not ended.', 'Wait for its end.'),
  NOT_TRIED: answer(
    503,
    'The worker that looked at a tool server, or called a tool, has not answered.',
    'Find out whether the call took effect before you try it again.',
  ),
  NOT_VALIDATED: answer(503, 'The worker that tried a model configuration has not answered.', LATER),
  NO_ACTION_REQUIRED: answer(409, 'The execution does not wait for a decision.', 'Read it again.'),
  NO_WORKER: answer(503, 'No worker is up that could do what the API waits for.', 'Start a worker.'),
  OUTPUT_INVALID: execution(
    'What a model answered does not fit the schema of its step, also when it was asked once more, or is too large.',
    'Mend the prompt or the schema of the step.',
  ),
  OVERLOADED: answer(503, 'Too much waits for the service.', LATER),
  PATH_TOO_LONG: answer(414, 'A part of the path is too long.', 'Look at the id.'),
  POISONED: execution('Twice it ended a process that held nothing else.', 'Look at its tools and its input.'),
  QUEUE_FULL: answer(429, 'Too much of this tenant waits.', LATER),
  QUEUE_UNAVAILABLE: operator(
    'The queue cannot be reached.',
    'Look at PostgreSQL or Redis; nothing is lost.',
  ),
  RATE_LIMITED: alsoOfExecutions(answer(429, 'Too many requests, here or at the model provider.', LATER)),
  REDIS_EVICTS: operator('Redis may evict jobs.', 'Set `maxmemory-policy` to `noeviction`.'),
  REQUEST_ABORTED: answer(400, 'The connection ended before the body was complete.', 'Send it again.'),
  REQUEST_TIMEOUT: answer(408, 'The request did not arrive in time.', 'Send it again.'),
  RETRIEVAL_FAILED: alsoOfExecutions(
    answer([422, 503], 'What was asked could not be looked for; the message says why.', 'Retry it.'),
  ),
  RETRIEVAL_INVALID: answer(422, 'What an agent or its options say of the retrieval is not allowed.', MEND),
  ROUTE_NOT_FOUND: answer(404, 'There is nothing at this path.', 'Look at `openapi.json`.'),
  SDK_ERROR: execution(
    'The model gave no answer; the message is that of the provider.',
    'Look at the model configuration, or retry.',
  ),
  SECRET_UNREADABLE: operator(
    'A stored secret cannot be opened.',
    'Set the `ENCRYPTION_KEY` that sealed it.',
  ),
  SKILL_NAME_TAKEN: answer(409, 'Another skill of the tenant has this name.', 'Use another name.'),
  STAGED_CHANGE_REFUSED: execution(
    'What a tool had prepared does not fit the stored data any more, or is of a shape that the release does not read.',
    'Run it again.',
  ),
  STEP_FAILED: execution(
    'A step of a pipeline came to nothing; the message says which, and `…/steps/` why.',
    'Look at its tools and its input, then retry.',
  ),
  STREAM_LIMIT: answer(429, 'The tenant or key holds too many event streams.', 'Close some.'),
  TENANT_EXISTS: answer(409, 'There is a tenant with this id.', 'Use another id, or change that one.'),
  TOKENS_EXPIRED: alsoOfExecutions(
    answer(
      409,
      'The tokens of the request are kept no longer: 24 hours are over, or it has ended and is to be run again.',
      'Give them again, with `retry` or in a new request.',
    ),
  ),
  TOOLS_UNAVAILABLE: execution(
    'A tool server that the agent names is of no use: it refuses us, or is no such server. One that is only away is waited for.',
    'Probe the server and mend it, then retry the execution.',
  ),
  TOOL_DEFINITION_INVALID: operator('A tool contradicts itself.', 'Mend its definition.'),
  TOOL_INPUT_UNCHECKED: operator('Nobody would check the arguments of a tool.', OURS),
  TOOL_NAME_TAKEN: alsoOfExecutions(
    answer(400, 'Two tools have one name.', 'Give one of them another name.'),
  ),
  TOOL_OPTIONS_UNMET: operator('A tool asks for options that nobody gives.', 'Mend its definition.'),
  TOOL_OUTCOME_UNKNOWN: execution(
    'Nobody knows whether a call took effect; `…/steps/` says which.',
    'Find out, then submit what is left.',
  ),
  TOOL_RETURN_UNDECLARED: operator('A tool returned something outside its declaration.', 'Mend the tool.'),
  TOOL_SCHEMA_INVALID: operator(
    'The schema of a tool is no JSON Schema that models take.',
    'Mend its definition.',
  ),
  TOOL_SERVER_NAME_TAKEN: answer(
    409,
    'Another tool server of the tenant has this name.',
    'Use another name.',
  ),
  TOO_MANY_ENDPOINTS: answer(422, 'The tenant has as many webhook endpoints as it may.', 'Delete one.'),
  TOO_MANY_MEMORIES: answer(422, 'As much is remembered of the executor as may be.', 'Delete a memory.'),
  TOO_MANY_SKILLS: answer(422, 'The tenant has as many skills as it may.', 'Delete one.'),
  TOO_MANY_STREAMS: answer(503, 'The process holds as many event streams as it can.', LATER),
  TOO_MANY_TOOL_SERVERS: answer(422, 'The tenant has as many tool servers as it may.', 'Delete one.'),
  TOO_MANY_UPLOADS: answer(503, 'The process takes in as many files at once as it can.', LATER),
  UNAUTHENTICATED: answer(401, 'There is no valid API key.', 'Send one: `Authorization: Bearer csk_…`.'),
  UNAVAILABLE: answer(503, 'The process stops, or cannot answer.', LATER),
  UNKNOWN_QUEUE: operator('There is no such queue.', OURS),
  UNKNOWN_STAGED_CHANGE: operator('No domain applies what a tool prepared.', 'Add it to the domain.'),
  UNSUPPORTED_MEDIA_TYPE: answer(
    415,
    'The body is not `application/json`, or `multipart/form-data` where a file is sent.',
    'Say so in `Content-Type`.',
  ),
  UNSUPPORTED_USECASE_TYPE: alsoOfExecutions(
    answer(422, 'Agents of this `usecase_type` cannot run.', 'Use another one.'),
  ),
  UPLOAD_LIMIT: answer(429, 'The tenant sends as much to this process at once as it may.', LATER),
  VALIDATION_ERROR: alsoOfExecutions(answer(400, 'The request, or what it leads to, is not valid.', MEND)),
  VERSION_CHANGED: answer(412, 'It was changed since the version that `If-Match` names.', 'Read it again.'),
  WAIT_LIMIT: answer(429, 'Too many requests of the tenant wait for a result.', 'Follow the execution.'),
  WEBHOOK_ENDPOINT_DISABLED: answer(409, 'The endpoint of the delivery is not active.', 'Activate it first.'),
  WRONG_DECISION: answer(
    409,
    'A call asks for another kind of decision.',
    'Look at `required_action.calls`.',
  ),
} as const satisfies Readonly<Record<string, ErrorDescription>>;
