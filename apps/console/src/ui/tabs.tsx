import { useRef, type ReactNode } from 'react';
import { Tabs as Radix } from 'radix-ui';
import { useShown } from './use-shown.js';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly name: Name; readonly label: string; readonly note?: ReactNode }[];
  readonly current: Name;
  readonly onChange: (name: Name) => void;
  readonly children: ReactNode;
}

/** Tabs with the current one's content below; arrow keys move between them. */
export function Tabs<Name extends string>({ label, tabs, current, onChange, children }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  useShown(list, '[data-state=active]', current);
  return (
    <Radix.Root
      value={current}
      onValueChange={(name) => onChange(name as Name)}
      activationMode="manual"
      className="flex min-h-0 flex-1 flex-col max-md:min-h-[70dvh] max-md:shrink-0"
    >
      <Radix.List
        ref={list}
        aria-label={label}
        className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-3"
      >
        {tabs.map(({ name, label: word, note }) => (
          <Radix.Trigger
            key={name}
            value={name}
            className="flex h-9 items-center gap-1.5 border-b-2 border-transparent px-2 whitespace-nowrap text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {word}
            {note}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={current} className="flex min-h-0 flex-1 flex-col outline-none" tabIndex={-1}>
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
