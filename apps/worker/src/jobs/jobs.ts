import { connectServerJob } from '../connections/connect-server.job.js';
import { backgroundTaskJob } from '../background-tasks/background-task.job.js';
import { extractMemoriesJob } from '../memories/extract-memories.job.js';
import { searchDocumentsJob } from '../retrieve/search-documents.job.js';
import { summarizeSessionJob } from '../summaries/summarize-session.job.js';
import { generateTitleJob } from '../titles/generate-title.job.js';
import { tryToolJob } from '../tool-servers/try-tool.job.js';
import { validateLlmJob } from '../validate-llm/validate-llm.job.js';
import type { DefinedJob } from './define-job.js';

/** Jobs of workers with the execute role. Executions, webhooks and documents have their own processors. */
export const jobs: readonly DefinedJob[] = [
  generateTitleJob,
  summarizeSessionJob,
  extractMemoriesJob,
  backgroundTaskJob,
  validateLlmJob,
  tryToolJob,
  searchDocumentsJob,
  connectServerJob,
];
