import { isJsonObject, toStorableJson, type JsonObject } from '#libs/kernel';
import { UNREADABLE_RETURN_TEXT, type InputReader, type ToolOutput, type ToolReturn } from '#libs/tooling';
import { z } from 'zod';
import { repeatsStructured } from './repeats-structured.js';
import { toLine } from './warnings.js';

const resultSchema = z.looseObject({
  content: z.array(z.unknown()).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
});

const text = z.string();
const name = text.optional().catch(undefined);
const mimeType = text.optional().catch(undefined);
const resource = z.object({
  uri: text,
  mimeType,
  text: text.optional(),
  blob: text.optional(),
});
const contentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.enum(['image', 'audio']), data: text, mimeType }),
  z.object({ type: z.literal('resource_link'), uri: text, name, title: name, description: name, mimeType }),
  z.object({ type: z.literal('resource'), resource }),
]);
type Content = z.infer<typeof contentSchema>;

/** Maximum content parts read per answer. */
const MAX_PARTS = 200;
/** Maximum files and links per answer; texts are joined and not counted. */
const MAX_FILES = 20;
const MAX_URI = 2_048;

/**
 * Converts an MCP tool result to a `ToolReturn`. The model reads the texts, plus the structured content if they do not
 * already contain it. `isError` is an ordinary answer with the status `error`: the tool ran and reports a failure.
 * Never throws; the size is limited by the reader.
 */
export function readResult(answered: unknown, readOutput: InputReader | null): ToolReturn {
  const parsed = resultSchema.safeParse(answered);
  if (!parsed.success) return unreadable();
  const { content, structuredContent, isError } = parsed.data;
  const structured = isError ? null : asPromised(structuredContent, readOutput);
  const outputs = toOutputs(content.slice(0, MAX_PARTS));
  const isSilent = !outputs.some(({ type }) => type === 'text');
  if (structured === BROKEN_PROMISE && isSilent) return unreadable();
  if (isJsonObject(structured) && !isSaid(outputs, structured)) {
    // A newline separates it from a preceding text.
    if (isSilent) outputs.unshift({ type: 'json', json: structured });
    else outputs.push(textOutput('\n'), { type: 'json', json: structured });
  }
  if (content.length > MAX_PARTS) outputs.push(textOutput('\n[parts of the answer were left out]'));
  if (isError) outputs.unshift(textOutput('the tool reports an error:\n'));
  return {
    result: {
      status: isError ? 'error' : 'success',
      result: isJsonObject(structured) ? { structured_content: structured } : {},
    },
    outputs: outputs.length === 0 ? [textOutput('the tool answered nothing')] : outputs,
  };
}

/**
 * Invalid results count as success, because the call was carried out; `UNREADABLE_RETURN_TEXT` says so to the model.
 */
function unreadable(): ToolReturn {
  const message = UNREADABLE_RETURN_TEXT;
  return { result: { status: 'success', result: { message } }, outputs: [textOutput(message)] };
}

const BROKEN_PROMISE = Symbol('not what the output schema says');

/** The structured content if it fits the server's output schema. */
function asPromised(
  structuredContent: unknown,
  readOutput: InputReader | null,
): JsonObject | typeof BROKEN_PROMISE | null {
  if (structuredContent === undefined) return readOutput === null ? null : BROKEN_PROMISE;
  const storable = toStorableJson(structuredContent);
  if (!isJsonObject(storable)) return BROKEN_PROMISE;
  return readOutput === null || readOutput(storable).success ? storable : BROKEN_PROMISE;
}

function toOutputs(content: readonly unknown[]): ToolOutput[] {
  const texts: string[] = [];
  const others: ToolOutput[] = [];
  for (const part of content) {
    const read = contentSchema.safeParse(part);
    if (!read.success) texts.push('[a part of the answer cannot be shown]');
    else {
      const { said, file } = describePart(read.data, others.length + 1);
      if (said !== null) texts.push(said);
      if (file !== null && others.length < MAX_FILES) others.push(file);
    }
  }
  // Joined with newlines, because adjacent parts would run together for the model.
  return texts.length === 0 ? others : [textOutput(texts.join('\n')), ...others];
}

function describePart(part: Content, number: number): { said: string | null; file: ToolOutput | null } {
  switch (part.type) {
    case 'text':
      return { said: part.text, file: null };
    case 'image':
    case 'audio':
      return { said: null, file: toBlob(part.data, part.mimeType, `${part.type}-${number}`) };
    case 'resource_link': {
      const { uri } = part;
      const label = toLine([part.title ?? part.name ?? '', part.description ?? ''].join(' '), 500).trim();
      const isWeb = /^https?:\/\//i.test(uri);
      return {
        said: `[resource ${toLine(uri, MAX_URI)}] ${label}`.trim(),
        file: isWeb ? { type: 'link', url: uri } : null,
      };
    }
    case 'resource': {
      const { uri, text: inner, blob, mimeType: type } = part.resource;
      if (inner !== undefined) return { said: `[resource ${toLine(uri, MAX_URI)}]\n${inner}`, file: null };
      const filename = uri.split(/[/\\]/).at(-1) ?? '';
      return { said: null, file: blob === undefined ? null : toBlob(blob, type, filename) };
    }
  }
}

const EXTENSION = /^(?:image|audio)\/([a-z0-9]{2,5})$/;

function toBlob(base64: string, mimeType: string | undefined, filename: string): ToolOutput {
  const extension = EXTENSION.exec(mimeType ?? '')?.[1];
  const isNamed = filename.includes('.') || extension === undefined;
  return {
    type: 'blob',
    base64,
    mimeType: mimeType ?? 'application/octet-stream',
    filename: isNamed ? filename : `${filename}.${extension}`,
  };
}

/** True if the texts already contain the structured content. */
function isSaid(outputs: readonly ToolOutput[], structured: JsonObject): boolean {
  const texts = outputs.flatMap((output) => (output.type === 'text' ? [output.text] : []));
  return texts.length > 0 && repeatsStructured(texts.join('\n'), structured);
}

function textOutput(said: string): ToolOutput {
  return { type: 'text', text: said };
}
