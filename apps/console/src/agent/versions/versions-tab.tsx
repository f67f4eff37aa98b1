import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { AgentVersion } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { Select } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/notice.js';
import { Time } from '../../ui/time.js';
import { versionQuery, versionsQuery } from '../agent-queries.js';
import type { AgentSearch } from '../agent-search.js';
import { FIELD_WORDS } from '../field-words.js';
import { differingFields } from './diff-lines.js';
import { RestoreButton } from './restore-button.js';
import { VersionDiff } from './version-diff.js';

interface VersionsTabProps {
  readonly newest: AgentVersion;
  readonly isDirty: boolean;
  readonly search: AgentSearch;
  readonly onShow: (search: AgentSearch) => void;
}

/** All versions of an agent, and the differences of any two. */
export function VersionsTab({ newest, isDirty, search, onShow }: VersionsTabProps) {
  const versions = useInfiniteQuery(versionsQuery(newest.id));
  const rows = versions.data?.pages.flatMap(({ data }) => data) ?? [];
  if (versions.isError && rows.length === 0) {
    return (
      <ProblemNotice
        error={versions.error}
        title="The versions could not be read"
        onRetry={() => void versions.refetch()}
      />
    );
  }
  const shown = search.version ?? newest.version;
  const other = search.with ?? (shown > 1 ? shown - 1 : null);
  return (
    <div className="flex min-h-0 flex-1 flex-col max-md:overflow-y-auto md:flex-row">
      <nav
        aria-label="Versions"
        className="shrink-0 overflow-y-auto border-line max-md:max-h-56 max-md:border-b md:w-72 md:border-r"
      >
        <ol>
          {rows.map((row, index) => (
            <li key={row.version}>
              <VersionRow
                row={row}
                before={rows[index + 1] ?? null}
                isShown={row.version === shown}
                onOpen={() => onShow({ tab: 'versions', version: row.version })}
              />
            </li>
          ))}
        </ol>
        {versions.hasNextPage && (
          <Button
            look="quiet"
            className="m-2"
            disabled={versions.isFetchingNextPage}
            onClick={() => void versions.fetchNextPage()}
          >
            Earlier versions
          </Button>
        )}
        {versions.isFetchNextPageError && <ProblemNotice error={versions.error} />}
      </nav>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col md:overflow-y-auto">
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
          <h2 className="font-semibold">Version {shown}</h2>
          <label className="flex items-center gap-2 text-muted">
            compared with
            <Select
              value={other ?? ''}
              className="text-ink"
              onChange={({ target }) =>
                onShow({
                  tab: 'versions',
                  version: shown,
                  ...(target.value !== '' && { with: Number(target.value) }),
                })
              }
            >
              {other === null && <option value="">nothing</option>}
              {others(rows, shown, other).map((version) => (
                <option key={version} value={version}>
                  version {version}
                </option>
              ))}
            </Select>
          </label>
          <div className="flex-1" />
          {shown !== newest.version && <RestoreButton newest={newest} version={shown} isDirty={isDirty} />}
        </div>
        <Comparison id={newest.id} shown={shown} other={other} />
      </div>
    </div>
  );
}

/** Versions to compare with: those that are read, and the one that the address names. */
function others(rows: readonly AgentVersion[], shown: number, chosen: number | null): number[] {
  const all = new Set(rows.map(({ version }) => version));
  if (chosen !== null) all.add(chosen);
  all.delete(shown);
  return [...all].toSorted((one, two) => two - one);
}

function VersionRow({
  row,
  before,
  isShown,
  onOpen,
}: {
  readonly row: AgentVersion;
  readonly before: AgentVersion | null;
  readonly isShown: boolean;
  readonly onOpen: () => void;
}) {
  const words = before === null ? [] : differingFields(before, row).map((field) => FIELD_WORDS[field]);
  return (
    <button
      type="button"
      aria-current={isShown || undefined}
      onClick={onOpen}
      className={clsx(
        'flex w-full flex-col border-b border-line px-4 py-2 text-left',
        isShown ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <span className="flex w-full justify-between gap-2">
        <span className="font-medium">Version {row.version}</span>
        <span className="text-muted">
          <Time at={row.created_at} />
        </span>
      </span>
      <span className="w-full truncate text-sm text-muted">
        {row.version === 1 ? 'made' : words.length === 0 ? '\u00A0' : words.join(', ')}
      </span>
    </button>
  );
}

function Comparison({
  id,
  shown,
  other,
}: {
  readonly id: number;
  readonly shown: number;
  readonly other: number | null;
}) {
  const after = useQuery(versionQuery(id, shown));
  const before = useQuery({ ...versionQuery(id, other ?? shown), enabled: other !== null });
  const failed = [after, before].find(({ isError }) => isError);
  if (failed !== undefined) {
    return (
      <ProblemNotice
        error={failed.error}
        title="The version could not be read"
        onRetry={() => void failed.refetch()}
      />
    );
  }
  if (after.data === undefined || (other !== null && before.data === undefined)) return null;
  if (other === null)
    return <p className="p-4 text-muted">It is the first version: there is none before it.</p>;
  if (before.data === undefined) return null;
  const [first, second] = other < shown ? [before.data, after.data] : [after.data, before.data];
  return (
    <>
      <p className="px-4 pt-3 text-sm text-muted">
        From version {first.version} to version {second.version}
      </p>
      <VersionDiff before={first} after={second} />
    </>
  );
}
