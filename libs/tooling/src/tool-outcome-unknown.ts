/**
 * Thrown by an `unsafe` tool that cannot say whether its call took effect, e.g. since the other side broke off before it
 * answered. What follows is what the tool's `onUnknown` says. The message is for the audit only.
 */
export class ToolOutcomeUnknown extends Error {
  override readonly name = 'ToolOutcomeUnknown';
}
