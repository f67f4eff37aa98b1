import { useState } from 'react';
import { randomKey } from '../api/client.js';
import { storeFile } from '../api/files.js';
import { problemOf } from '../api/problem.js';
import type { StoredFile } from '../api/types.js';

/** A file that was chosen: stored, on its way, or refused. */
export interface Attachment {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** Null until it is stored. */
  readonly file: StoredFile | null;
  readonly fault: string | null;
  readonly uploading: AbortController;
}

export interface Attachments {
  readonly attachments: readonly Attachment[];
  /** The stored ones. */
  readonly files: readonly StoredFile[];
  readonly isUploading: boolean;
  readonly hasFault: boolean;
  readonly add: (files: Iterable<File>) => void;
  /** Puts files back that are stored already. */
  readonly putBack: (files: readonly StoredFile[]) => void;
  readonly remove: (key: string) => void;
  readonly clear: () => void;
}

/** Files of the message that is being written. Each is stored as soon as it is chosen. */
export function useAttachments(): Attachments {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const change = (key: string, fields: Partial<Attachment>): void =>
    setAttachments((before) => before.map((one) => (one.key === key ? { ...one, ...fields } : one)));
  const add = (files: Iterable<File>): void => {
    for (const chosen of files) {
      const key = randomKey();
      const uploading = new AbortController();
      const { name, size } = chosen;
      setAttachments((before) => [...before, { key, name, size, file: null, fault: null, uploading }]);
      storeFile(chosen, uploading.signal).then(
        (file) => change(key, { file }),
        (error: unknown) => change(key, { fault: problemOf(error).message }),
      );
    }
  };
  return {
    attachments,
    files: attachments.flatMap(({ file }) => file ?? []),
    isUploading: attachments.some(({ file, fault }) => file === null && fault === null),
    hasFault: attachments.some(({ fault }) => fault !== null),
    add,
    putBack: (files) =>
      setAttachments((before) => [
        ...before,
        ...files.map((file) => ({
          ...{ key: randomKey(), name: file.name, size: file.size_bytes, file, fault: null },
          uploading: new AbortController(),
        })),
      ]),
    remove: (key) => {
      attachments.find((one) => one.key === key)?.uploading.abort();
      setAttachments((before) => before.filter((one) => one.key !== key));
    },
    clear: () => setAttachments([]),
  };
}
