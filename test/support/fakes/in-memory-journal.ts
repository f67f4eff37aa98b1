// The specs of agent-core and executions import the journal from here: their libraries know no library above them.
export { InMemoryJournal, WorkerDied } from '#libs/kit-testing';
