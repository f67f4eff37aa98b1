import type { IncomingMessage } from 'node:http';
import { toStorableText } from '#libs/kernel';
import type { Original } from '#libs/knowledge';
import type { z } from 'zod';
import type { Form, FormFile, FormShape } from '../http/multipart/form-shape.js';
import { readForm } from '../http/multipart/read-form.js';
import { parseRequestPart } from '../http/request-validation.js';

/** Maximum length of a file's name and of its media type, in characters. */
const MAX_NAME = 500;

/** A form with text fields and a file in the part `file`. */
export interface UploadForm<Fields> {
  /** Maximum length of each text field, in bytes. */
  readonly formBytes: FormShape['fields'];
  readonly form: z.ZodType<Fields>;
}

/** Storage for the file of a form. */
export interface UploadTarget<Kept extends { readonly original: Original }> {
  readonly mostBytes: number;
  /** Stores the file, which it reads to the end; `field` is the name of its part. */
  keep(file: FormFile, field: string): Promise<Kept>;
  drop(original: Original): Promise<void>;
}

/** A received upload with validated fields and a stored file. */
export interface TakenUpload<Fields, Kept> {
  readonly fields: Fields;
  readonly file: Kept;
}

/** Receives a form. Throws an error that names the field, and then keeps nothing. */
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

/** Truncates a client's file name or media type to storable text. */
export function nameOf(said: string | null): string | null {
  return said === null ? null : toStorableText(said.slice(0, MAX_NAME));
}
