import { z } from 'zod';
import type { JsonObject } from '#libs/kernel';

/** Where a message keeps the files that came with it. */
export const ATTACHMENTS_KEY = 'attachments';

/** Of one message. */
const MOST_ATTACHMENTS = 10;

const said = {
  name: z.string().max(500),
  media_type: z.string().max(127),
  size_bytes: z.int().min(0),
  sha256: z.string().max(64),
};

/** A file that came with a message (S2-22's `UploadedResult`): its id, and what the service knew of it then. */
export const attachedFileSchema = z.object({ id: z.uuid(), ...said });
export type AttachedFile = z.infer<typeof attachedFileSchema>;
const attachedFilesSchema = z.array(attachedFileSchema);

/**
 * The same as a client sends it: the answer to its upload, or the id alone. What it says of the file beside the id is not
 * believed, and the service writes its own.
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
  .max(MOST_ATTACHMENTS)
  .refine(
    (files) => new Set(files.map(({ id }) => id.toLowerCase())).size === files.length,
    'must name each file once',
  );

/** The files that came with a message; none where its data says something else under this key. */
export function readAttachments(data: JsonObject): readonly AttachedFile[] {
  const kept = data[ATTACHMENTS_KEY];
  if (kept === undefined) return [];
  const read = attachedFilesSchema.safeParse(kept);
  return read.success ? read.data : [];
}

/** How later turns name them: what they were is not sent again. */
export function nameAttachments(files: readonly AttachedFile[]): string {
  return files.map(({ name, media_type }) => `${name} (${media_type})`).join(', ');
}
