import { Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '#libs/kernel';
import { FileStore, type FileView } from '#libs/persistence';
import { ATTACHMENTS_KEY, type AttachedFile } from '#libs/tooling';
import { InvalidRequestError, pointerTo, type FieldError } from '../http/request-errors.js';
import { uuidSchema } from '../http/request-values.js';

/** Maximum total size of a request's files, in bytes; a worker holds up to three copies in memory. */
const MAX_ATTACHED_BYTES = 20_971_520;

/** Looks up the files that a request attaches. */
@Injectable()
export class AttachedFiles {
  constructor(private readonly files: FileStore) {}

  /**
   * The data of a request with the metadata of its files, in their order. Throws an `InvalidRequestError` for each file that
   * the tenant does not have or no longer has, and where the files exceed the size limit together.
   */
  async resolve(tenantId: string, data: JsonObject): Promise<JsonObject> {
    const ids = idsOf(data);
    if (ids.length === 0) return data;
    const found = new Map((await this.files.findAll(tenantId, ids)).map((file) => [file.id, file]));
    const faults = ids.flatMap((id, at) => (found.has(id) ? [] : [notThere(at)]));
    if (faults.length > 0) throw new InvalidRequestError(faults);
    const attached = ids.flatMap((id) => found.get(id) ?? []);
    const bytes = attached.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    if (bytes > MAX_ATTACHED_BYTES) throw tooLarge();
    return { ...data, [ATTACHMENTS_KEY]: attached.map(toAttached) };
  }
}

/** Whether the data of a request may attach files, which then must be looked up. */
export function namesFiles(data: JsonObject): boolean {
  return Array.isArray(data[ATTACHMENTS_KEY]);
}

/**
 * Ids of attached files. Data that an earlier release accepted may have another shape when it is run again, so invalid ids
 * are skipped.
 */
function idsOf(data: JsonObject): string[] {
  const files = data[ATTACHMENTS_KEY];
  if (!Array.isArray(files)) return [];
  return files.flatMap((file) => {
    const id = isJsonObject(file) ? uuidSchema.safeParse(file['id']) : null;
    return id?.success === true ? [id.data.toLowerCase()] : [];
  });
}

function toAttached({ id, name, media_type, size_bytes, sha256 }: FileView): AttachedFile {
  return { id, name, media_type, size_bytes, sha256 };
}

/** JSON pointer to an attached file in the request body. */
export function pointerToAttachment(at: number, ...below: readonly string[]): string {
  return pointerTo(['additional_data', ATTACHMENTS_KEY, at, ...below]);
}

function notThere(at: number): FieldError {
  return { pointer: pointerToAttachment(at, 'id'), detail: 'must be an existing file of the tenant' };
}

function tooLarge(): InvalidRequestError {
  const detail = `must have at most ${MAX_ATTACHED_BYTES} bytes together`;
  return new InvalidRequestError([{ pointer: pointerTo(['additional_data', ATTACHMENTS_KEY]), detail }]);
}
