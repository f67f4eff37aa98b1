import { useMemo } from 'react';
import { JsonView as Tree, type Props } from 'react-json-view-lite';
import { visibleJson } from '../format/visible-json.js';

const ICON = 'inline-block w-4 cursor-pointer text-muted select-none before:font-sans';

const STYLE: NonNullable<Props['style']> = {
  container: 'font-mono text-sm leading-5 wrap-anywhere',
  basicChildStyle: 'pl-4',
  childFieldsContainer: '',
  label: 'mr-1 text-muted',
  clickableLabel: 'mr-1 cursor-pointer text-muted',
  nullValue: 'text-muted italic',
  undefinedValue: 'text-muted italic',
  numberValue: 'text-running',
  stringValue: 'whitespace-pre-wrap text-ink',
  booleanValue: 'text-partial',
  otherValue: '',
  punctuation: 'text-muted',
  expandIcon: `${ICON} before:content-['▸']`,
  collapseIcon: `${ICON} before:content-['▾']`,
  collapsedContent: "cursor-pointer after:content-['…']",
  noQuotesForStringValues: false,
  quotesForFieldNames: false,
  ariaLables: { collapseJson: 'Fold', expandJson: 'Unfold' },
  stringifyStringValues: false,
};

/** A JSON value that is unfolded for two levels. */
export default function JsonTree({ value }: { readonly value: object }) {
  const shown = useMemo(() => visibleJson(value) as object, [value]);
  return <Tree data={shown} style={STYLE} shouldExpandNode={(level) => level < 3} />;
}
