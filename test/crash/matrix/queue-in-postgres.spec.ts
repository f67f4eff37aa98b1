import { describe } from '@jest/globals';
import { dieEverywhere } from './die-everywhere.js';

describe('a process that dies, or is frozen and overtaken, with the queue in PostgreSQL', () => {
  dieEverywhere('postgres');
});
