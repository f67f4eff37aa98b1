import { AGENT_LAYER_MUTANTS } from './agent-layer.js';
import { AS_THEY_ARE_MUTANTS } from './as-they-are.js';
import { BATCH_MUTANTS } from './batches.js';
import { CORE_MUTANTS } from './core.js';
import { DOCUMENT_MUTANTS } from './documents.js';
import { EVENT_MUTANTS } from './events.js';
import { FILE_MUTANTS } from './files.js';
import { FOREIGN_MUTANTS } from './foreign.js';
import { HIDDEN_SECRET_MUTANTS } from './hidden-secrets.js';
import { HISTORY_MUTANTS } from './histories.js';
import { KEPT_ANSWER_MUTANTS } from './kept-answers.js';
import type { Mutant } from './mutant.js';
import { MEMORY_MUTANTS } from './memories.js';
import { MESSAGE_DATA_MUTANTS } from './message-data.js';
import { OAUTH_MUTANTS } from './oauth.js';
import { ORDER_WORKFLOW_MUTANTS } from './order-workflow.js';
import { ORDER_MUTANTS } from './orders.js';
import { OUTSIDE_MUTANTS } from './outside.js';
import { PIPELINE_MUTANTS } from './pipelines.js';
import { RETRIEVAL_MUTANTS } from './retrieval.js';
import { REVOCATION_MUTANTS } from './revocations.js';
import { S2_MUTANTS } from './s2.js';
import { S3_MUTANTS } from './s3.js';
import { S4_MUTANTS } from './s4.js';
import { SEARCHED_TOOLS_MUTANTS } from './searched-tools.js';
import { SESSION_MUTANTS } from './sessions.js';
import { SUPPORT_DESK_MUTANTS } from './support-desk.js';
import { SUSPECT_MUTANTS } from './suspects.js';
import { VECTOR_MUTANTS } from './vectors.js';
import { WEBHOOK_MUTANTS } from './webhooks.js';

export const MUTANTS: readonly Mutant[] = [
  ...CORE_MUTANTS,
  ...AGENT_LAYER_MUTANTS,
  ...S2_MUTANTS,
  ...MESSAGE_DATA_MUTANTS,
  ...S3_MUTANTS,
  ...S4_MUTANTS,
  ...AS_THEY_ARE_MUTANTS,
  ...BATCH_MUTANTS,
  ...SUSPECT_MUTANTS,
  ...WEBHOOK_MUTANTS,
  ...OUTSIDE_MUTANTS,
  ...EVENT_MUTANTS,
  ...FOREIGN_MUTANTS,
  ...HIDDEN_SECRET_MUTANTS,
  ...SEARCHED_TOOLS_MUTANTS,
  ...SESSION_MUTANTS,
  ...OAUTH_MUTANTS,
  ...ORDER_MUTANTS,
  ...REVOCATION_MUTANTS,
  ...DOCUMENT_MUTANTS,
  ...FILE_MUTANTS,
  ...RETRIEVAL_MUTANTS,
  ...PIPELINE_MUTANTS,
  ...ORDER_WORKFLOW_MUTANTS,
  ...MEMORY_MUTANTS,
  ...HISTORY_MUTANTS,
  ...VECTOR_MUTANTS,
  ...SUPPORT_DESK_MUTANTS,
  ...KEPT_ANSWER_MUTANTS,
];
