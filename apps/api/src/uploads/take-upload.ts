import type { IncomingMessage } from 'node:http';
import { toStorableText } from '#libs/kernel';
import type { Original } from '#libs/knowledge';
import type { z } from 'zod';
import type { Form, FormFile, FormShape } from '../http/multipart/form-shape.js';
import { readForm } from '../http/multipart/read-form.js';
import { parseRequestPart } from '../http/request-validation.js';

/** Of the name and the type of a file, in characters. */
const MOST_NAME = 500;

/** A form with a file, whose part is called `file`. */
export interface UploadForm<Fields> {
  /** How many bytes each text field may have. */
  readonly formBytes: FormShape['fields'];
  readonly form: z.ZodType<Fields>;
}

/** Where the file of a form goes. */
export interface UploadTarget<Kept extends { readonly original: Original }> {
  readonly mostBytes: number;
  /** Reads it to its end. `field` is the part that it came as. */
  keep(file: FormFile, field: string): Promise<Kept>;
  drop(original: Original): Promise<void>;
}

/** An upload that came in: its fields are judged, and its file is kept. */
export interface TakenUpload<Fields, Kept> {
  readonly fields: Fields;
  readonly file: Kept;
}

/** Takes a form in. Throws a fault that names the field; nothing is kept then. */
export async function takeUpload<Fields, Kept extends { readonly original: Original }>(
  request: IncomingMessage,
  { formBytes, form }: UploadForm<Fields>,
  target: UploadTarget<Kept>,
): Promise<TakenUpload<Fields, Kept>> {
  const name = 'file';
  const kept: Original[] = [];
  const keepFile = async (given: FormFile): Promise<Kept> => {
    const file = await target.keep(given, name);
    kept.push(file.original);
    return file;
  };
  try {
    const shape: FormShape = { fields: formBytes, file: { name, mostBytes: target.mostBytes } };
    const { fields, file }: Form<Kept> = await readForm(request, shape, keepFile);
    return { fields: parseRequestPart(form, fields, 'body'), file };
  } catch (error) {
    for (const original of kept) await target.drop(original);
    throw error;
  }
}

/** What a client calls a file, or its type: any bytes, of any length. */
export function nameOf(said: string | null): string | null {
  return said === null ? null : toStorableText(said.slice(0, MOST_NAME));
}
