import { jsonValueSchema } from '#libs/payloads';
import { z } from 'zod';

/**
 * What the front end saw of the page that the user was at, when the message was sent (S2-22). What it says beside is kept.
 */
export const domSnapshotInputSchema = z
  .object({
    url: z.string().max(2_048).exactOptional(),
    title: z.string().max(500).exactOptional(),
    html: z.string().max(500_000).exactOptional(),
  })
  .catchall(jsonValueSchema);
