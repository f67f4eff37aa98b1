import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { AgentVersion } from '../../api/types.js';
import { LongText } from '../../ui/long-text.js';
import { llmsQuery } from '../agent-queries.js';
import { FIELD_WORDS } from '../field-words.js';
import { differingFields, diffLines, sortedJson, type DiffLine } from './diff-lines.js';

type Field = ReturnType<typeof differingFields>[number];

/** Everything in which two versions of an agent differ, field by field. */
export function VersionDiff({
  before,
  after,
}: {
  readonly before: AgentVersion;
  readonly after: AgentVersion;
}) {
  const llms = useQuery(llmsQuery);
  const fields = differingFields(before, after);
  if (fields.length === 0) {
    return (
      <p className="p-4 text-muted">
        Versions {before.version} and {after.version} are the same.
      </p>
    );
  }
  const textOf = (field: Field, version: AgentVersion): string => {
    const { llm, is_active: isActive } = version;
    if (field === 'llm') return llms.data?.find(({ id }) => id === llm)?.name ?? `configuration ${llm}`;
    if (field === 'is_active') return isActive ? 'active' : 'inactive';
    if (field === 'config' || field === 'tools') return sortedJson(version[field]);
    return version[field] ?? '';
  };
  return (
    <dl className="flex flex-col gap-4 p-4">
      {fields.map((field) => (
        <div key={field}>
          <dt className="mb-1 font-semibold first-letter:uppercase">{FIELD_WORDS[field]}</dt>
          <dd>
            <TextDiff before={textOf(field, before)} after={textOf(field, after)} name={FIELD_WORDS[field]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function TextDiff({
  before,
  after,
  name,
}: {
  readonly before: string;
  readonly after: string;
  readonly name: string;
}) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  if (lines === null) {
    return (
      <>
        <p className="text-muted">The two texts differ too much to be compared line by line.</p>
        <div className="mt-2 grid gap-4 sm:grid-cols-2">
          <LongText text={before} fileName={`${name}-before.txt`} className="font-mono text-sm" />
          <LongText text={after} fileName={`${name}-after.txt`} className="font-mono text-sm" />
        </div>
      </>
    );
  }
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label={`Changes of the ${name}`}
      className="max-h-[60dvh] overflow-auto rounded-md border border-line font-mono text-sm leading-5"
    >
      {lines.map((line, index) => (
        <Line key={index} line={line} />
      ))}
    </div>
  );
}

const MAX_LINE_CHARACTERS = 5_000;
const SIGN = { same: ' ', added: '+', removed: '−', gap: '⋯' } as const;
const WORD = { same: '', added: 'added: ', removed: 'removed: ', gap: 'lines left out' } as const;

function Line({ line: { kind, text, before, after } }: { readonly line: DiffLine }) {
  return (
    <div
      className={clsx(
        'grid grid-cols-[2.5rem_2.5rem_1.5rem_minmax(0,1fr)]',
        kind === 'added' && 'bg-done-soft',
        kind === 'removed' && 'bg-failed-soft',
        kind === 'gap' && 'bg-sunken text-muted',
      )}
    >
      <span aria-hidden className="pr-2 text-right text-muted select-none">
        {before}
      </span>
      <span aria-hidden className="pr-2 text-right text-muted select-none">
        {after}
      </span>
      <span aria-hidden className="text-center select-none">
        {SIGN[kind]}
      </span>
      <span className="wrap-anywhere whitespace-pre-wrap">
        <span className="sr-only">{WORD[kind]}</span>
        {text.length > MAX_LINE_CHARACTERS ? `${text.slice(0, MAX_LINE_CHARACTERS)} …` : text}
      </span>
    </div>
  );
}
