import { lazy, Suspense, useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { consoleSessionQuery } from '../api/console-session.js';
import { ProblemNotice, Reading } from '../ui/notice.js';
import { useKeys } from '../ui/keys.js';
import { keepSession } from './ended-session.js';
import { KeysHelp } from './keys-help.js';
import { SideNavigation } from './side-navigation.js';
import { SignIn } from './sign-in.js';

const loadPalette = () => import('./palette.js').then(({ Palette: component }) => ({ default: component }));
const Palette = lazy(loadPalette);

type Overlay = 'palette' | 'keys' | null;

/** Frame of all screens: side navigation, palette and help of keys; the sign-in page before sign-in. */
export function Shell() {
  const session = useQuery(consoleSessionQuery);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const close = (): void => setOverlay(null);
  useEffect(() => {
    // After what the first screen needs, so that the palette is there before a person asks for it.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), 300);
    return () => clearTimeout(timer);
  }, []);
  const caller = session.data ?? null;
  useEffect(() => {
    if (caller !== null) keepSession(caller);
  }, [caller]);
  useKeys({ 'mod+k': () => setOverlay('palette'), '?': () => setOverlay('keys') });
  if (session.isError) return <ProblemNotice error={session.error} onRetry={() => void session.refetch()} />;
  if (session.data === undefined) return <Reading />;
  if (session.data === null) return <SignIn />;
  return (
    <div className="flex h-full flex-col md:flex-row">
      <a
        href="#content"
        className="fixed -top-10 left-2 z-50 rounded bg-accent px-3 py-1 text-accent-ink focus:top-2"
      >
        Skip to the content
      </a>
      <SideNavigation
        session={session.data}
        onSearch={() => setOverlay('palette')}
        onKeys={() => setOverlay('keys')}
      />
      <main
        id="content"
        tabIndex={-1}
        // A narrow page scrolls as one; a wide one holds its header, and what is below it scrolls.
        className="relative flex min-h-0 min-w-0 flex-1 flex-col outline-none max-md:overflow-y-auto"
      >
        <Suspense fallback={null}>
          <Outlet />
        </Suspense>
      </main>
      {overlay === 'palette' && (
        <Suspense fallback={null}>
          <Palette onClose={close} />
        </Suspense>
      )}
      {overlay === 'keys' && <KeysHelp onClose={close} />}
    </div>
  );
}
