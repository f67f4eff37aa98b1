import { useState } from 'react';
import { applyTheme, readTheme, THEMES } from '../app/theme.js';
import { Segments } from '../ui/segments.js';

const WORDS = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;

/** Choices that this browser keeps. */
export function AppearanceTab() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <section aria-label="Appearance" className="flex max-w-2xl flex-col gap-2 px-4 py-4">
      <h2 className="font-semibold">Colours</h2>
      <div className="flex">
        <Segments
          label="Colours"
          current={theme}
          options={THEMES.map((name) => ({ name, label: WORDS[name] }))}
          onChange={(name) => {
            applyTheme(name);
            setTheme(name);
          }}
        />
      </div>
      <p className="text-sm text-muted">This browser keeps the choice; the service does not know it.</p>
    </section>
  );
}
