/** An input that holds the script of the model's answers; scripts can be nested. */
export function scriptedAs(key: string, answers: readonly object[]): string {
  return `Please.\n\`\`\`sim-script\n${asBlock({ key, answers })}\n\`\`\``;
}

/** Escapes backticks, because the simulator searches the text for the end of the block. */
function asBlock(script: object): string {
  return JSON.stringify(script).replaceAll('`', '\\u0060');
}
