import type { JsonValue } from '#libs/kernel';
import { z } from 'zod';
import { toBoundedJson } from './bounded-json.js';
import { cutText } from './cut-text.js';
import { checkFilesPath } from './file-sandbox.js';
import { FAILED_FILE_TEXT, FAILED_IMAGE_TEXT } from './fixed-texts.js';
import { describeFile, readAddress, toBlob, type ToolFile } from './tool-file.js';

/** One output of a tool, beside its result. */
export const toolOutputSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('json'), json: z.unknown() }),
  z.object({ type: z.literal('link'), url: z.string() }),
  /** `source`: an http(s) URL, or the path of a PNG under `/files`. */
  z.object({ type: z.literal('image'), source: z.string() }),
  z.object({ type: z.literal('image_link'), url: z.string() }),
  z.object({ type: z.literal('blob'), base64: z.string(), mimeType: z.string(), filename: z.string() }),
  /** `path`: a path under `/files`. */
  z.object({ type: z.literal('file'), path: z.string(), mimeType: z.string() }),
]);
export type ToolOutput = z.infer<typeof toolOutputSchema>;

/** One item delivered to the user; the order is kept. */
export type Delivery =
  | { readonly kind: 'file'; readonly file: ToolFile }
  | { readonly kind: 'text'; readonly text: string }
  /** A file to open in the file sandbox; `toOpenedDelivery` converts it afterwards. */
  | { readonly kind: 'open'; readonly file: FileToOpen };

export interface FileToOpen {
  /** Path under `/files`, as the tool named it. */
  readonly path: string;
  readonly mimeType: string;
  /** Text for the user if the file cannot be delivered. */
  readonly failureText: string;
}

export interface DescribedOutputs {
  /** Text for the model (3.D-11). */
  readonly text: string;
  readonly deliveries: readonly Delivery[];
}

/** Maximum outputs of one call; further ones are dropped. */
const MAX_OUTPUTS = 32;

/**
 * Converts a tool's outputs to text for the model and deliveries for the user (3.D-11, 3.D-12, S0-42). The text is
 * storable and has at most `maxBytes` bytes of UTF-8. Never throws: unusable outputs are replaced by a note.
 */
export function describeOutputs(outputs: readonly ToolOutput[], maxBytes: number): DescribedOutputs {
  const described = outputs.slice(0, MAX_OUTPUTS).map((output) => describeOutput(output, maxBytes));
  return {
    text: cutText(described.map(({ text }) => text).join(''), maxBytes),
    deliveries: described.flatMap(({ deliveries }) => deliveries),
  };
}

/** The file sandbox's answer, without details that the user may not learn. */
export type OpenedFile =
  | { readonly kind: 'read'; readonly base64: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused' };

/** A missing file is skipped silently; a refused one is reported without a reason (3.D-12, 3.D-13). */
export function toOpenedDelivery(
  file: FileToOpen,
  opened: OpenedFile,
): Exclude<Delivery, { kind: 'open' }> | null {
  if (opened.kind === 'missing') return null;
  const blob =
    opened.kind === 'read'
      ? toBlob({ base64: opened.base64, mimeType: file.mimeType, filename: file.path })
      : null;
  return blob === null ? { kind: 'text', text: file.failureText } : { kind: 'file', file: blob };
}

function describeOutput(output: ToolOutput, maxBytes: number): DescribedOutputs {
  switch (output.type) {
    case 'text':
      return { text: cutText(output.text, maxBytes), deliveries: [] };
    case 'json':
      return { text: `tool response: ${jsonText(output.json, maxBytes)}.`, deliveries: [] };
    case 'link':
      return describeLink(output.url);
    case 'image_link':
      return describeImageLink(output.url);
    case 'image':
      return describeImage(output.source);
    case 'blob':
      return describeBlob(output);
    case 'file':
      return { text: FILE_SENT, deliveries: openUnderFiles(output.path, output.mimeType, FAILED_FILE_TEXT) };
  }
}

const IMAGE_SENT = 'image generated and sent to user. Tell user to review it now.';
const FILE_SENT = 'Generated file ... ';
const NO_ADDRESS = 'tool response: an address was left out, since it is not an http or https address.';

function describeLink(given: string): DescribedOutputs {
  const url = readAddress(given);
  if (url === null) return { text: NO_ADDRESS, deliveries: [] };
  const text = `result link: ${url}. please tell user to check it.`;
  return { text, deliveries: [{ kind: 'file', file: { type: 'link', url } }] };
}

function describeImageLink(given: string): DescribedOutputs {
  const url = readAddress(given);
  if (url === null) return { text: NO_ADDRESS, deliveries: [] };
  return { text: IMAGE_SENT, deliveries: [{ kind: 'file', file: { type: 'image_link', url } }] };
}

function describeImage(source: string): DescribedOutputs {
  if (readAddress(source) !== null) {
    return { text: IMAGE_SENT, deliveries: [{ kind: 'file', file: { type: 'image', source } }] };
  }
  const bytes = openUnderFiles(source, 'image/png', FAILED_IMAGE_TEXT);
  const isInside = bytes.every(({ kind }) => kind === 'open');
  const image: Delivery[] = isInside ? [{ kind: 'file', file: { type: 'image', source } }] : [];
  return { text: IMAGE_SENT, deliveries: [...bytes, ...image] };
}

function describeBlob(output: Extract<ToolOutput, { type: 'blob' }>): DescribedOutputs {
  const file = toBlob(output);
  const delivery: Delivery =
    file === null ? { kind: 'text', text: FAILED_FILE_TEXT } : { kind: 'file', file };
  return { text: FILE_SENT, deliveries: [delivery] };
}

function openUnderFiles(path: string, mimeType: string, failureText: string): Delivery[] {
  if (checkFilesPath(path).kind === 'refused') return [{ kind: 'text', text: failureText }];
  return [{ kind: 'open', file: { path, mimeType: describeFile(path, mimeType).mime_type, failureText } }];
}

function jsonText(value: unknown, maxBytes: number): string {
  const json: JsonValue = toBoundedJson(value, maxBytes);
  return JSON.stringify(json);
}
