import { useState } from 'react';
import { Columns3 } from 'lucide-react';
import { Button } from '../ui/button.js';
import { keep, readKept } from '../ui/kept.js';
import { Popover } from '../ui/popover.js';
import {
  chosenColumns,
  COLUMN_IDS,
  COLUMN_NAMES,
  USUAL_COLUMNS,
  withColumnToggled,
  type ColumnId,
} from './column-choice.js';

const PLACE = 'capstan.runs.columns';

/** Columns that the reader has chosen, kept in this browser. */
export function useColumnChoice() {
  const [chosen, setChosen] = useState(() => chosenColumns(readKept(PLACE)));
  const choose = (next: readonly ColumnId[]): void => {
    setChosen(next);
    keep(PLACE, next.join(','));
  };
  return { chosen, choose };
}

interface ColumnMenuProps {
  readonly chosen: readonly ColumnId[];
  readonly onChoose: (next: readonly ColumnId[]) => void;
}

export function ColumnMenu({ chosen, onChoose }: ColumnMenuProps) {
  return (
    <Popover
      label="Columns"
      look="quiet"
      button={<Columns3 aria-hidden className="size-4" />}
      className="w-52"
    >
      {() => (
        <>
          <fieldset>
            <legend className="px-2 pb-1 text-sm text-muted">Columns, as wide as the page allows</legend>
            {COLUMN_IDS.map((id) => (
              <label key={id} className="flex h-7 items-center gap-2 rounded-md px-2 hover:bg-hover">
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  onChange={() => onChoose(withColumnToggled(chosen, id))}
                  className="size-3.5"
                />
                {COLUMN_NAMES[id]}
              </label>
            ))}
          </fieldset>
          <Button look="quiet" className="mt-1 w-full" onClick={() => onChoose(USUAL_COLUMNS)}>
            The usual ones
          </Button>
        </>
      )}
    </Popover>
  );
}
