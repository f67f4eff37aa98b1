import { invalidRequest, itemNotFound, type ApiError } from '../http/api-error.js';
import { isSealed } from './encrypted-reasoning.js';
import type { InputItem } from './input-item.js';

/**
 * Refuses conversations that the real API refuses: unmatched calls or outputs, duplicate items, and reasoning that is
 * isolated, undecryptable or not stored. Throws 400 or 404.
 */
export function checkConversation(items: readonly InputItem[], isStored: boolean): void {
  checkPairs(items);
  checkDuplicates(items);
  items.forEach((item, index) => {
    if (item.type === 'reasoning') checkReasoning(item, items[index + 1], isStored);
  });
}

/** An id may be reused once its earlier call is answered. */
function checkPairs(items: readonly InputItem[]): void {
  const open = new Set<string>();
  for (const item of items) {
    if (item.type === 'function_call') {
      if (open.has(item.callId)) throw invalidRequest(`Duplicate 'call_id': ${item.callId}.`, 'input');
      open.add(item.callId);
    }
    if (item.type === 'function_call_output' && !open.delete(item.callId)) {
      throw invalidRequest(
        `No tool call found for function call output with call_id ${item.callId}.`,
        'input',
      );
    }
  }
  const [unanswered] = open;
  if (unanswered !== undefined) {
    throw invalidRequest(`No tool output found for function call ${unanswered}.`, 'input');
  }
}

function checkDuplicates(items: readonly InputItem[]): void {
  const seen = new Set<string>();
  for (const id of items.map((item) => ('id' in item ? item.id : null))) {
    if (id === null) continue;
    if (seen.has(id)) {
      const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
      throw invalidRequest(message, 'input');
    }
    seen.add(id);
  }
}

function checkReasoning(
  item: Extract<InputItem, { type: 'reasoning' }>,
  next: InputItem | undefined,
  isStored: boolean,
): void {
  if (item.encryptedContent === null && !isStored) throw itemNotFound(item.id);
  if (item.encryptedContent !== null && !isSealed(item.encryptedContent))
    throw notDecrypted(item.encryptedContent);
  if (next === undefined || !isAnswer(next)) {
    const message = `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
    throw invalidRequest(message, 'input');
  }
}

function isAnswer(item: InputItem): boolean {
  switch (item.type) {
    case 'reasoning':
    case 'function_call':
      return true;
    case 'message':
      return item.role === 'assistant';
    case 'function_call_output':
      return false;
  }
}

function notDecrypted(content: string): ApiError {
  const shown = `${content.slice(0, 4)}...${content.slice(-4)}`;
  const message = `The encrypted content ${shown} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
  return invalidRequest(message, null, 'invalid_encrypted_content');
}
