import { CreateSchema1764000000000 } from './1764000000000-create-schema.js';
import { BackgroundTask1764000000078 } from './1764000000078-background-task.js';
import { ConsoleSession1764000000080 } from './1764000000080-console-session.js';
import { ShownWorkers1764000000081 } from './1764000000081-shown-workers.js';
import { ExecutionTally1764000000082 } from './1764000000082-execution-tally.js';

/** In their order. A migration that has landed is never edited. */
export const coreMigrations = [
  CreateSchema1764000000000,
  BackgroundTask1764000000078,
  ConsoleSession1764000000080,
  ShownWorkers1764000000081,
  ExecutionTally1764000000082,
];
