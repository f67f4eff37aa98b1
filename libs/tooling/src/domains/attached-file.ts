import { z } from 'zod';
import type { JsonObject } from '#libs/kernel';

/** Key of a message's data that holds its attached files. */
export const ATTACHMENTS_KEY = 'attachments';

/** Maximum attachments per message. */
const MAX_ATTACHMENTS = 10;

const said = {
  name: z.string().max(500),
  media_type: z.string().max(127),
  size_bytes: z.int().min(0),
  sha256: z.string().max(64),
};

/** A file attached to a message (S2-22's `UploadedResult`): its id and its metadata at the time of the message. */
export const attachedFileSchema = z.object({ id: z.uuid(), ...said });
export type AttachedFile = z.infer<typeof attachedFileSchema>;
const attachedFilesSchema = z.array(attachedFileSchema);

/**
 * Attachments as a client sends them: the upload's response, or the id alone. Client metadata is not trusted: the
 * service replaces it by its own.
 */
export const givenAttachmentsSchema = z
  .array(
    z.strictObject({
      id: z.uuid('must be the id of a file'),
      ...z.object(said).partial().shape,
      created_at: z.iso.datetime().optional(),
      expires_at: z.iso.datetime().optional(),
    }),
  )
  .max(MAX_ATTACHMENTS)
  .refine(
    (files) => new Set(files.map(({ id }) => id.toLowerCase())).size === files.length,
    'must name each file once',
  );

/** The attachments of a message; empty if its data holds another shape under this key. */
export function readAttachments(data: JsonObject): readonly AttachedFile[] {
  const kept = data[ATTACHMENTS_KEY];
  if (kept === undefined) return [];
  const read = attachedFilesSchema.safeParse(kept);
  return read.success ? read.data : [];
}

/** Names attachments in later turns, which do not send the contents again. */
export function nameAttachments(files: readonly AttachedFile[]): string {
  return files.map(({ name, media_type }) => `${name} (${media_type})`).join(', ');
}
