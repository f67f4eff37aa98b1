import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { sessionFilesQuery } from '../../api/session-files.js';
import { isOpen } from '../../api/upload-list.js';
import { toastProblem } from '../../ui/problem-toast.js';
import { fileUploads, type FileUpload } from './file-uploads.js';
import { planUploads, type NamedFile, type Planned } from './plan-uploads.js';

export interface AddFiles {
  /** Sends new files, once the list of what is there was read; the others wait for an answer in `asked`. */
  readonly add: (chosen: readonly NamedFile[]) => void;
  readonly retry: (upload: FileUpload) => void;
  /** Files of which a person is asked whether they may replace what is there. */
  readonly asked: readonly Planned[];
  readonly answer: (mayReplace: boolean) => void;
}

/** Adds files to a session without writing over any that a person has not seen. */
export function useAddFiles(uuid: string): AddFiles {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<readonly Planned[]>([]);
  const send = (files: readonly Planned[]): void =>
    fileUploads.add(files.map(({ path, file, replaced }) => ({ file, place: { uuid, path, replaced } })));
  const add = (chosen: readonly NamedFile[]): void => {
    queries.query({ ...sessionFilesQuery(uuid), staleTime: 0 }).then((files) => {
      const { free, taken } = planUploads(chosen, files, pathsOnTheirWay(uuid));
      send(free);
      setAsked((before) => [...before, ...taken]);
    }, toastProblem);
  };
  return {
    add,
    retry: ({ key, file, place: { path } }) => {
      fileUploads.drop(key);
      add([{ path, file }]);
    },
    asked,
    answer: (mayReplace) => {
      if (mayReplace) send(asked);
      setAsked([]);
    },
  };
}

const pathsOnTheirWay = (uuid: string): string[] =>
  fileUploads
    .getUploads()
    .filter((upload) => upload.place.uuid === uuid && isOpen(upload))
    .map(({ place }) => place.path);
