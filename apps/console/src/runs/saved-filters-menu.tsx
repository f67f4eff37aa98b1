import { useState, type SubmitEvent } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { Bookmark, Check, X } from 'lucide-react';
import { toast } from 'sonner';
import { Button, IconButton } from '../ui/button.js';
import { Input } from '../ui/field.js';
import { keep, readKept } from '../ui/kept.js';
import { Popover } from '../ui/popover.js';
import { isFiltered, type RunsFilter } from './runs-filter.js';
import {
  isSameFilter,
  MAX_NAME,
  savedFiltersOf,
  withFilterSaved,
  type SavedFilter,
} from './saved-filters.js';

const PLACE = 'capstan.runs.filters';

/** Filters that the reader has named, kept in this browser. */
export function SavedFiltersMenu({ filter }: { readonly filter: RunsFilter }) {
  const navigate = useNavigate();
  const [saved, setSaved] = useState(() => savedFiltersOf(readKept(PLACE)));
  const change = (next: readonly SavedFilter[]): void => {
    setSaved(next);
    keep(PLACE, JSON.stringify(next));
  };
  const remove = (removed: SavedFilter): void => {
    change(saved.filter((each) => each !== removed));
    toast.success(`“${removed.name}” deleted`, {
      action: { label: 'Undo', onClick: () => change(saved) },
    });
  };
  const current = saved.find((each) => isSameFilter(each.filter, filter));
  return (
    <Popover
      label="Saved filters"
      look="quiet"
      button={
        <>
          <Bookmark aria-hidden className="size-3.5" />
          <span className="max-w-40 truncate">{current?.name ?? 'Saved'}</span>
        </>
      }
      className="w-72"
    >
      {(close) => (
        <>
          {saved.length === 0 && (
            <p className="px-2 py-1 text-muted">Filters that you save are kept in this browser.</p>
          )}
          <ul>
            {saved.map((each) => (
              <li key={each.name} className="flex items-center">
                <Button
                  look="quiet"
                  className="min-w-0 flex-1 justify-start px-2 font-normal text-ink"
                  onClick={() => {
                    close();
                    void navigate({ to: '/runs', search: each.filter });
                  }}
                >
                  <Check aria-hidden className={each === current ? 'size-3.5' : 'invisible size-3.5'} />
                  <span className="truncate">{each.name}</span>
                </Button>
                <IconButton label={`Delete “${each.name}”`} className="size-7" onClick={() => remove(each)}>
                  <X aria-hidden className="size-3.5" />
                </IconButton>
              </li>
            ))}
          </ul>
          {isFiltered(filter) && current === undefined && (
            <SaveForm
              onSave={(name) => {
                change(withFilterSaved(saved, { name, filter }));
                close();
              }}
            />
          )}
          {!isFiltered(filter) && (
            <p className="px-2 py-1 text-sm text-muted">
              Choose filters first, then save them here by a name.
            </p>
          )}
        </>
      )}
    </Popover>
  );
}

function SaveForm({ onSave }: { readonly onSave: (name: string) => void }) {
  const [name, setName] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') onSave(name.trim());
  };
  return (
    <form onSubmit={submit} className="mt-1 flex gap-1.5 border-t border-line pt-2">
      <Input
        autoFocus
        aria-label="Name of these filters"
        placeholder="Name of these filters"
        value={name}
        maxLength={MAX_NAME}
        onChange={({ target }) => setName(target.value)}
        className="min-w-0 flex-1"
      />
      <Button type="submit" look="primary" disabled={name.trim() === ''}>
        Save
      </Button>
    </form>
  );
}
