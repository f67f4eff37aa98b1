/** An input that the model answers by this script; scripts may hold such inputs themselves. */
export function scriptedAs(key: string, answers: readonly object[]): string {
  return `Please.\n\`\`\`sim-script\n${asBlock({ key, answers })}\n\`\`\``;
}

/** The end of the block is looked for in the text, so that nothing inside may look like one. */
function asBlock(script: object): string {
  return JSON.stringify(script).replaceAll('`', '\\u0060');
}
