import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { problemOf, type ApiProblem } from '../../api/problem.js';
import { putSessionFile, sessionFilesQuery } from '../../api/session-files.js';

/** A file on its way into a session, or one that was refused. Those that have arrived are in the list of files. */
export interface FileUpload {
  readonly key: string;
  readonly path: string;
  readonly file: File;
  /** Part that is sent, from 0 to 1. */
  readonly part: number;
  /** Null unless it was refused. */
  readonly problem: ApiProblem | null;
}

export interface FileUploads {
  readonly uploads: readonly FileUpload[];
  readonly begin: (path: string, file: File) => void;
  /** Stops an upload, or takes a refused one off the list. */
  readonly drop: (key: string) => void;
}

/** Sends files into a session; those under way stop when the page is left. */
export function useFileUploads(uuid: string): FileUploads {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<readonly FileUpload[]>([]);
  const stops = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const open = stops.current;
    return () => open.forEach((stop) => stop.abort());
  }, []);
  const change = (key: string, fields: Partial<FileUpload>): void =>
    setUploads((before) => before.map((one) => (one.key === key ? { ...one, ...fields } : one)));
  const drop = (key: string): void => {
    stops.current.get(key)?.abort();
    setUploads((before) => before.filter((one) => one.key !== key));
  };
  const begin = (path: string, file: File): void => {
    const key = `${path} ${file.lastModified} ${stops.current.size}`;
    const stop = new AbortController();
    stops.current.set(key, stop);
    setUploads((before) => [...before, { key, path, file, part: 0, problem: null }]);
    const onProgress = (sent: number, total: number): void =>
      change(key, { part: total === 0 ? 0 : sent / total });
    putSessionFile({ uuid, path, file, signal: stop.signal, onProgress }).then(
      () => {
        drop(key);
        return queries.invalidateQueries({ queryKey: sessionFilesQuery(uuid).queryKey });
      },
      (error: unknown) => change(key, { problem: problemOf(error) }),
    );
  };
  return { uploads, begin, drop };
}
