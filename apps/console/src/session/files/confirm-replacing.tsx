import { Confirm } from '../../ui/confirm.js';
import type { Planned } from './plan-uploads.js';

/** Asks before files are written over; their contents cannot be had again. */
export function ConfirmReplacing({
  files,
  onConfirm,
  onClose,
}: {
  readonly files: readonly Planned[];
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const [only] = files;
  const title =
    files.length === 1 && only !== undefined ? `Replace ${only.path}?` : `Replace ${files.length} files?`;
  return (
    <Confirm
      title={title}
      action="Replace"
      refusal="Keep what is there"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        The session has {files.length === 1 ? 'a file of this path' : 'files of these paths'}; what is in it
        is lost.
      </p>
      {files.length > 1 && (
        <ul className="list-disc pl-5 font-mono text-sm">
          {files.map(({ path }) => (
            <li key={path}>{path}</li>
          ))}
        </ul>
      )}
    </Confirm>
  );
}
