import type { Readable } from 'node:stream';
import { toStorableJson } from '#libs/kernel';
import { InvalidRequestError } from '../request-errors.js';
import { brokenForm, fieldFault, tooManyBytes } from './form-faults.js';
import { mostFormBytes, type Form, type FormFile, type FormShape } from './form-shape.js';

/** Collects the parts of one form. Settles once, after the storage of its file has ended. */
export class FormReading<Kept> {
  readonly form: Promise<Form<Kept>>;
  private readonly fields = new Map<string, string>();
  private readonly outcome = Promise.withResolvers<undefined>();
  private file: { readonly stream: Readable; readonly kept: Promise<Kept> } | null = null;
  private bytes = 0;
  private fault: Error | null = null;

  constructor(
    private readonly shape: FormShape,
    /** Maximum length of the file, in bytes. */
    private readonly announcedBytes: number,
    private readonly keepFile: (file: FormFile) => Promise<Kept>,
  ) {
    this.form = this.complete();
  }

  addField(name: string, value: string, isCut: boolean): void {
    const mostBytes = Object.hasOwn(this.shape.fields, name) ? this.shape.fields[name] : undefined;
    if (name === this.shape.file.name) this.fail(fieldFault(name, 'must be a file, with a filename'));
    else if (mostBytes === undefined) this.fail(fieldFault(name, 'is not a known field'));
    else if (this.fields.has(name)) this.fail(fieldFault(name, 'must be given once'));
    else if (isCut || Buffer.byteLength(value) > mostBytes) this.fail(tooManyBytes(name, mostBytes));
    else this.fields.set(name, toStorableJson(value) as string);
  }

  beginFile(name: string, stream: Readable, fileName: string | null, mediaType: string | null): void {
    if (Object.hasOwn(this.shape.fields, name)) this.fail(fieldFault(name, 'must be a text, not a file'));
    else if (name !== this.shape.file.name) this.fail(fieldFault(name, 'is not a known field'));
    else if (this.file !== null) this.fail(fieldFault(name, 'must be given once'));
    if (this.fault !== null) return void stream.destroy();
    const { announcedBytes } = this;
    const kept = this.keepFile({ fileName, mediaType, announcedBytes, bytes: this.bounded(stream) });
    this.file = { stream, kept };
    kept.catch((error: unknown) => this.fail(error as Error));
  }

  countBytes(length: number): void {
    this.bytes += length;
    const mostBytes = mostFormBytes(this.shape);
    if (this.bytes > mostBytes) this.fail(tooManyBytes(null, mostBytes));
  }

  /** Only the first fault counts; it also aborts the file. */
  fail(fault: Error): void {
    if (this.fault !== null) return;
    this.fault = fault;
    this.file?.stream.destroy();
    this.outcome.reject(fault);
  }

  /** The parser has reached the end of the form. */
  end(): void {
    if (this.file === null) this.fail(fieldFault(this.shape.file.name, 'is required'));
    else this.outcome.resolve(undefined);
  }

  private async complete(): Promise<Form<Kept>> {
    try {
      await this.outcome.promise;
    } catch (error) {
      await this.file?.kept.catch(() => undefined);
      throw error;
    }
    if (this.file === null) throw brokenForm();
    return { fields: Object.fromEntries(this.fields), file: await this.file.kept };
  }

  private async *bounded(stream: Readable): AsyncGenerator<Uint8Array> {
    const { name, mostBytes } = this.shape.file;
    let bytes = 0;
    try {
      for await (const part of stream as AsyncIterable<Buffer>) {
        bytes += part.length;
        if (bytes > mostBytes) throw tooManyBytes(name, mostBytes);
        yield part;
      }
    } catch (error) {
      // The form's own fault explains more than the stream error that it caused.
      throw this.fault ?? (error instanceof InvalidRequestError ? error : brokenForm());
    }
  }
}
