import { afterAll, beforeAll, describe } from '@jest/globals';
import { PersistenceWorld } from '../../integration/persistence/persistence-world.js';
import { describeCancel } from './cancel.contract.js';
import { describeContexts } from './context.contract.js';
import { describeDecisions } from './decision.contract.js';
import { describeDispatch } from './dispatch.contract.js';
import type { ExecutionsBackend } from './executions-backend.js';
import { describeDirectDispatch } from './direct-dispatch.contract.js';
import { executionsInMemory } from './in-memory-backend.js';
import { describeAcceptance } from './acceptance.contract.js';
import { executionsInPostgres } from './postgres-backend.js';
import { describeReader } from './reader.contract.js';
import { describeSummaries } from './summary.contract.js';

/** The in-memory backend on which unit tests run the use cases of executions. */
describe('executions in memory', () => {
  describePorts(() => Promise.resolve(executionsInMemory()));
});

describe('executions in PostgreSQL', () => {
  let world: PersistenceWorld;
  beforeAll(async () => {
    world = await PersistenceWorld.open();
  });
  afterAll(() => world.close());
  describePorts(() => executionsInPostgres(world));
  describe('the context of an attempt', () => describeContexts(() => executionsInPostgres(world)));
  describe('summarising', () => describeSummaries(() => executionsInPostgres(world)));
});

function describePorts(start: () => Promise<ExecutionsBackend>): void {
  describe('accepting', () => describeAcceptance(start));
  describe('accepting as sent', () => describeDirectDispatch(start));
  describe('reading', () => describeReader(start));
  describe('cancelling', () => describeCancel(start));
  describe('deciding', () => describeDecisions(start));
  describe('dispatching', () => describeDispatch(start));
}
