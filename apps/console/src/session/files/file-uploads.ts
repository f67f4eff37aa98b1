import { useEffect, useSyncExternalStore } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { putSessionFile, sessionFilesQuery, type SessionFilePlace } from '../../api/session-files.js';
import type { Upload } from '../../api/upload-list.js';
import { UploadQueue } from '../../api/upload-queue.js';

/** A file on its way into a session, or one that was refused. Those that have arrived are in the list of files. */
export type FileUpload = Upload<SessionFilePlace, unknown>;

/** Files on their way into all sessions. */
export const fileUploads = new UploadQueue<SessionFilePlace, unknown>(({ file, place }, sending) =>
  putSessionFile({ ...place, file, ...sending }),
);

/** Files on their way into a session. The list of its files is read again with each that has arrived. */
export function useFileUploads(uuid: string): readonly FileUpload[] {
  const queries = useQueryClient();
  const all = useSyncExternalStore(fileUploads.subscribe, fileUploads.getUploads);
  const uploads = all.filter(({ place }) => place.uuid === uuid);
  const given = uploads.filter(({ state }) => state === 'given').length;
  useEffect(() => {
    if (given === 0) return;
    for (const { key, place, state } of fileUploads.getUploads()) {
      if (place.uuid === uuid && state === 'given') fileUploads.drop(key);
    }
    void queries.invalidateQueries({ queryKey: sessionFilesQuery(uuid).queryKey });
  }, [given, queries, uuid]);
  return uploads.filter(({ state }) => state !== 'given');
}
