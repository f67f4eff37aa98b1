/**
 * Thrown by an `unsafe` tool with an unknown outcome, e.g. after a broken connection; the tool's `onUnknown` decides
 * how the execution continues. The message is for the audit only.
 */
export class ToolOutcomeUnknown extends Error {
  override readonly name = 'ToolOutcomeUnknown';
}
