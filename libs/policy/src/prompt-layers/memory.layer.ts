import { inTag, onOneLine, type PromptLayer } from './prompt-layer.js';

/** What is remembered of whom the agent acts for, from earlier conversations. */
export function memoryLayer(memories: readonly string[]): PromptLayer {
  const lines = memories.map(onOneLine).filter((memory) => memory !== '');
  if (lines.length === 0) return null;
  return inTag('memory', [
    'Remembered from earlier conversations; what is said now wins over it:',
    ...lines.map((memory) => `- ${memory}`),
  ]);
}
