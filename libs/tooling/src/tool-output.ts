import type { JsonValue } from '#libs/kernel';
import { z } from 'zod';
import { toBoundedJson } from './bounded-json.js';
import { cutText } from './cut-text.js';
import { checkFilesPath } from './file-sandbox.js';
import { FAILED_FILE_TEXT, FAILED_IMAGE_TEXT } from './fixed-texts.js';
import { describeFile, readAddress, toBlob, type ToolFile } from './tool-file.js';

/** One thing a tool answers, in place of or beside its result. */
export const toolOutputSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('json'), json: z.unknown() }),
  z.object({ type: z.literal('link'), url: z.string() }),
  /** `source`: an http(s) address, or the path of a PNG under `/files`. */
  z.object({ type: z.literal('image'), source: z.string() }),
  z.object({ type: z.literal('image_link'), url: z.string() }),
  z.object({ type: z.literal('blob'), base64: z.string(), mimeType: z.string(), filename: z.string() }),
  /** `path` under `/files`. */
  z.object({ type: z.literal('file'), path: z.string(), mimeType: z.string() }),
]);
export type ToolOutput = z.infer<typeof toolOutputSchema>;

/** What the user gets of a call, in order. */
export type Delivery =
  | { readonly kind: 'file'; readonly file: ToolFile }
  | { readonly kind: 'text'; readonly text: string }
  /** To be opened in the file sandbox; `toOpenedDelivery` says what becomes of it. */
  | { readonly kind: 'open'; readonly file: FileToOpen };

export interface FileToOpen {
  /** As the tool named it, under `/files`. */
  readonly path: string;
  readonly mimeType: string;
  /** What the user reads when it cannot be had. */
  readonly failureText: string;
}

export interface DescribedOutputs {
  /** What the model reads (3.D-11). */
  readonly text: string;
  readonly deliveries: readonly Delivery[];
}

/** How many outputs of one call count; the rest is dropped. */
const MOST_OUTPUTS = 32;

/**
 * Turns a tool's outputs into what the model reads and what the user gets (3.D-11, 3.D-12, S0-42). The text can be stored
 * and has at most `maxBytes` bytes of UTF-8. Never throws: what is not usable is left out and said so.
 */
export function describeOutputs(outputs: readonly ToolOutput[], maxBytes: number): DescribedOutputs {
  const described = outputs.slice(0, MOST_OUTPUTS).map((output) => describeOutput(output, maxBytes));
  return {
    text: cutText(described.map(({ text }) => text).join(''), maxBytes),
    deliveries: described.flatMap(({ deliveries }) => deliveries),
  };
}

/** What the sandbox answered, as far as the user learns of it. */
export type OpenedFile =
  | { readonly kind: 'read'; readonly base64: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused' };

/**
 * A file that is not there is passed over in silence; one that may not be had is reported without a reason (3.D-12,
 * 3.D-13).
 */
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
