import { z } from 'zod';

/**
 * What the front end saw of the page that the user was at, when the message was sent (S2-22). What it says beside is kept.
 */
export const domSnapshotInputSchema = z.looseObject({
  url: z.string().max(2_048).optional(),
  title: z.string().max(500).optional(),
  html: z.string().max(500_000).optional(),
});

export type DomSnapshotInput = z.infer<typeof domSnapshotInputSchema>;
