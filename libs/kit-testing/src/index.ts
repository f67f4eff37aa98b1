export {
  InMemoryExecution,
  NEVER,
  type AcceptedExecution,
  type InMemoryClaim,
  type StoredFact,
} from './in-memory-execution.js';
export { InMemoryJournal, WorkerDied } from './in-memory-journal.js';
