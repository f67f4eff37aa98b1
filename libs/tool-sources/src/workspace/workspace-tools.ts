import type { JsonObject } from '#libs/kernel';
import { LIST_FILES, READ_FILE, SEARCH_FILES, WRITE_FILE } from '#libs/policy';
import {
  defineTool,
  errorResult,
  findPathFault,
  WORKSPACE_LIMITS,
  type ToolDefinition,
  type ToolReturn,
  type WorkspaceShelf,
  type WorkspaceWriting,
} from '#libs/tooling';
import { z } from 'zod';
import { findLines, partOf, textOfBytes, type MatchingLine } from './search-text.js';

const TIMEOUT_MS = 20_000;
/** Maximum characters that one call of `read_file` answers. */
const READ_CHARS = 20_000;
/** Large enough for {@link READ_CHARS} in JSON, where each character has at most six bytes. */
const MAX_OUTPUT_BYTES = 131_072;
const MAX_MATCHES = 100;
const MAX_WANTED = 200;

const pathSchema = z.string().describe('Path of the file in the workspace, for example reports/may.csv.');

/** Tools over the files of the conversation. An agent names those that it may call in `tools.builtin`. */
export function workspaceTools(shelf: WorkspaceShelf): readonly ToolDefinition[] {
  return [listFiles(shelf), readFile(shelf), searchFiles(shelf), writeFile(shelf)];
}

function listFiles(shelf: WorkspaceShelf): ToolDefinition {
  return defineTool({
    name: LIST_FILES,
    label: 'list files',
    description: `Lists the files of this conversation with their sizes in bytes, by path; at most ${WORKSPACE_LIMITS.files}.`,
    effect: 'read',
    input: z.strictObject({}),
    timeoutMs: TIMEOUT_MS,
    run: async (_input, owner) => {
      const { files, isCut } = await shelf.list(owner);
      const listed = files.map(({ path, bytes }) => ({ path, bytes }));
      return success({ files: listed, is_cut: isCut });
    },
  });
}

function readFile(shelf: WorkspaceShelf): ToolDefinition {
  return defineTool({
    name: READ_FILE,
    label: 'read file',
    description: `Reads a text file of this conversation, at most ${READ_CHARS} characters at once. Where the file goes on, the answer has next_offset: call again with it.`,
    effect: 'read',
    isForeign: true,
    input: z.strictObject({
      path: pathSchema,
      offset: z.int().min(0).nullable().describe('Characters to skip; null for the beginning.'),
    }),
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    run: async ({ path, offset }, owner) => {
      const fault = findPathFault(path);
      if (fault !== null) return failure(`the path ${fault}`);
      const bytes = await shelf.read(owner, path);
      if (bytes === null) return failure('there is no file of this path; list_files lists all');
      const text = textOfBytes(bytes);
      if (text === null) return failure(`the file is no text; it has ${bytes.byteLength} bytes`);
      const part = partOf(text, offset ?? 0, READ_CHARS);
      return success({ path, characters: text.length, text: part.text, next_offset: part.next });
    },
  });
}

function searchFiles(shelf: WorkspaceShelf): ToolDefinition {
  return defineTool({
    name: SEARCH_FILES,
    label: 'search files',
    description: `Finds the lines that contain a text, regardless of case, in all text files of this conversation; at most ${MAX_MATCHES}. Each has the offset with which read_file reads on from it.`,
    effect: 'read',
    isForeign: true,
    input: z.strictObject({
      text: z.string().min(1).max(MAX_WANTED).describe('Text to find, literally; it has no line break.'),
    }),
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    run: async ({ text }, owner) => {
      const matches: (MatchingLine & { readonly path: string })[] = [];
      const { files, isCut } = await shelf.list(owner);
      for (const { path } of files) {
        owner.signal.throwIfAborted();
        if (matches.length > MAX_MATCHES) break;
        const content = textOfBytes((await shelf.read(owner, path)) ?? new Uint8Array());
        const most = MAX_MATCHES + 1 - matches.length;
        for (const match of findLines(content ?? '', text, most)) matches.push({ path, ...match });
      }
      const shown = matches.slice(0, MAX_MATCHES).map((match) => ({ ...match }));
      return success({ matches: shown, is_cut: isCut || matches.length > MAX_MATCHES });
    },
  });
}

function writeFile(shelf: WorkspaceShelf): ToolDefinition {
  return defineTool({
    name: WRITE_FILE,
    label: 'write file',
    description: `Writes a text file of this conversation, at most ${WORKSPACE_LIMITS.fileBytes} bytes. It replaces a file of the same path as a whole.`,
    effect: 'idempotent',
    input: z.strictObject({ path: pathSchema, content: z.string().describe('The whole text of the file.') }),
    timeoutMs: TIMEOUT_MS,
    run: async ({ path, content }, context) => {
      const fault = findPathFault(path);
      if (fault !== null) return failure(`the path ${fault}`);
      const bytes = Buffer.from(content);
      const writing = await shelf.write(context, { path, bytes, callKey: context.idempotencyKey });
      const refusal = REFUSALS[writing];
      return refusal === undefined ? success({ path, bytes: bytes.byteLength }) : failure(refusal);
    },
  });
}

const REFUSALS: Readonly<Partial<Record<WorkspaceWriting, string>>> = {
  no_session: 'there is no conversation with files here',
  path_taken: 'the path is a folder of other files, or lies under a file; use another path',
  too_many_files: `the conversation has ${WORKSPACE_LIMITS.files} files, the maximum; replace one of them`,
  tenant_full: 'the files of all conversations together have the maximum of bytes; write less',
  too_many_bytes: `a file has at most ${WORKSPACE_LIMITS.fileBytes} bytes, and all files together ${WORKSPACE_LIMITS.totalBytes}`,
};

function success(result: JsonObject): ToolReturn {
  return { result: { status: 'success', result } };
}

function failure(message: string): ToolReturn {
  return { result: errorResult(message) };
}
