import { createHash } from 'node:crypto';
import { invalidRequest } from '../../http/api-error.js';
import { explainIssue } from '../../http/explain-issue.js';
import { answersAfter, lastUserTurn } from '../../responses/conversation.js';
import type { InputItem } from '../../responses/input-item.js';
import { scriptBlockSchema, type ScriptBlock } from './script-schema.js';

const BLOCK = /```sim-script\s*\n([\s\S]*?)\n?```/;

/** A script found in the conversation. */
export interface FoundScript {
  readonly script: ScriptBlock;
  /** Number of answers since the script was sent. */
  readonly answersGiven: number;
  /** The script's key, else a digest of its text; names its counters. */
  readonly scope: string;
}

/** The newest script in a user message, or null. Throws a 400 that names the fault of an invalid script. */
export function findScriptBlock(items: readonly InputItem[]): FoundScript | null {
  const turn = lastUserTurn(items, (text) => BLOCK.test(text));
  const source = turn === null ? undefined : BLOCK.exec(turn.text)?.[1];
  if (turn === null || source === undefined) return null;
  const script = parseBlock(source);
  const digest = createHash('sha256').update(source).digest('hex');
  return { script, answersGiven: answersAfter(items, turn.index), scope: script.key ?? digest };
}

function parseBlock(source: string): ScriptBlock {
  const data = readJson(source);
  const parsed = scriptBlockSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw explainIssue(parsed.error, data, ['sim-script']);
}

function readJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw invalidRequest('The sim-script block is not JSON.', 'sim-script', 'invalid_value');
  }
}
