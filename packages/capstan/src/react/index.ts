export {
  ChatTransport,
  type ChatTransportOptions,
  type SentTurn,
  type StartedTurn,
} from './chat-transport.js';
export type { ChatChunk } from './chat-chunks.js';
export { useExecution, type UseExecutionOptions } from './use-execution.js';
export type { ExecutionEnd, ExecutionView } from './execution-view.js';
