export { useExecution, type UseExecutionOptions } from './use-execution.js';
export type { ExecutionEnd, ExecutionView } from './execution-view.js';
