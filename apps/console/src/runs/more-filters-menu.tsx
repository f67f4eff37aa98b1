import { useState, type SubmitEvent } from 'react';
import { SlidersHorizontal } from 'lucide-react';
import { Button } from '../ui/button.js';
import { Field, Input } from '../ui/field.js';
import { Popover } from '../ui/popover.js';
import { MORE_FILTERS, MORE_NAMES, type MoreFilters, type MoreName } from './more-filters.js';
import type { RunsFilter } from './runs-filter.js';

interface MoreFiltersMenuProps {
  readonly filter: RunsFilter;
  readonly onChange: (filter: RunsFilter) => void;
}

/** Filters that are typed: they take effect together. */
export function MoreFiltersMenu({ filter, onChange }: MoreFiltersMenuProps) {
  return (
    <Popover
      label="More filters"
      className="w-80"
      button={
        <>
          <SlidersHorizontal aria-hidden className="size-3.5" /> More
        </>
      }
    >
      {(close) => (
        <Form
          filter={filter}
          onApply={(next) => {
            onChange(next);
            close();
          }}
        />
      )}
    </Popover>
  );
}

function Form({
  filter,
  onApply,
}: {
  readonly filter: RunsFilter;
  readonly onApply: (filter: RunsFilter) => void;
}) {
  const [texts, setTexts] = useState<Readonly<Partial<Record<MoreName, string>>>>(filter);
  const [isChecked, setIsChecked] = useState(false);
  const names = MORE_NAMES.filter((name) => name !== 'agentVersion' || filter.agent !== undefined);
  const faultOf = (name: MoreName): string | null => {
    const text = texts[name]?.trim() ?? '';
    return text === '' ? null : MORE_FILTERS[name].faultOf(text);
  };
  const apply = (event: SubmitEvent): void => {
    event.preventDefault();
    setIsChecked(true);
    if (names.some((name) => faultOf(name) !== null)) return;
    onApply(withTexts(filter, texts));
  };
  return (
    <form onSubmit={apply} className="flex flex-col gap-2 p-1">
      {names.map((name, index) => {
        const { label, hint } = MORE_FILTERS[name];
        const fault = isChecked ? faultOf(name) : null;
        return (
          <Field key={name} label={label} hint={hint} faults={fault === null ? [] : [fault]}>
            {(ids) => (
              <Input
                {...ids}
                autoFocus={index === 0}
                value={texts[name] ?? ''}
                onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
              />
            )}
          </Field>
        );
      })}
      <Button type="submit" look="primary">
        Apply
      </Button>
    </form>
  );
}

/** The filter with what was typed; an empty field takes its filter off. Pure. */
function withTexts(filter: RunsFilter, texts: Readonly<Partial<Record<MoreName, string>>>): RunsFilter {
  const rest = Object.fromEntries(
    Object.entries(filter).filter(([name]) => !MORE_NAMES.some((each) => each === name)),
  );
  const typed = MORE_NAMES.map((name) => [name, texts[name]?.trim() ?? ''] as const);
  const set: MoreFilters = Object.fromEntries(typed.filter(([, text]) => text !== ''));
  return { ...rest, ...set };
}
