import { useRef, useState, type ReactNode } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { Keyboard, LogOut, Monitor, Moon, Search, Sun } from 'lucide-react';
import { signOut } from '../api/console-session.js';
import type { Caller } from '../api/types.js';
import { IconButton } from '../ui/button.js';
import { toastProblem } from '../ui/problem-toast.js';
import { useShown } from '../ui/use-shown.js';
import { InboxCount } from '../inbox/inbox-count.js';
import { forgetSession } from './ended-session.js';
import { NAVIGATION } from './navigation.js';
import { applyTheme, readTheme, THEMES } from './theme.js';

interface SideNavigationProps {
  readonly session: Caller;
  readonly onSearch: () => void;
  readonly onKeys: () => void;
}

/** On the left from 768 px of width, as a bar at the top below that. */
export function SideNavigation({ session, onSearch, onKeys }: SideNavigationProps) {
  const bar = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useShown(bar, 'button ~ [aria-current=page]', pathname);
  return (
    // Hidden words within are placed in it, so that it cuts them off: the page would scroll sideways to them.
    <nav
      ref={bar}
      aria-label="Main"
      className="relative flex shrink-0 items-center gap-1 border-line bg-sunken p-2 max-md:overflow-x-auto max-md:border-b md:w-52 md:flex-col md:items-stretch md:border-r"
    >
      <Link to="/runs" className="flex items-center gap-2 px-2 py-1 text-lg font-semibold max-md:hidden">
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" className="size-5" />
        Capstan
      </Link>
      <button
        type="button"
        onClick={onSearch}
        className="my-2 flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2 text-muted hover:text-ink max-md:order-last max-md:my-0"
      >
        <Search aria-hidden className="size-3.5" />
        <span className="flex-1 text-left max-md:sr-only">Go to …</span>
        <kbd className="font-sans text-xs max-md:hidden">Ctrl K</kbd>
      </button>
      {NAVIGATION.map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className="flex h-8 items-center gap-2 rounded-md px-2 text-muted hover:bg-hover hover:text-ink"
          activeProps={{ className: 'bg-hover font-medium text-ink!' }}
        >
          <Icon aria-hidden className="size-4" />
          <span className="flex-1">{label}</span>
          {to === '/inbox' && <InboxCount />}
        </Link>
      ))}
      <div className="flex-1" />
      <Footer session={session}>
        <ThemeButton />
        <IconButton label="Keys (?)" onClick={onKeys} className="max-md:hidden">
          <Keyboard aria-hidden className="size-4" />
        </IconButton>
      </Footer>
    </nav>
  );
}

function Footer({ session, children }: { readonly session: Caller; readonly children: ReactNode }) {
  // Loaded anew, the page has nothing left of the person who leaves it.
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      forgetSession();
      window.location.reload();
    },
    onError: toastProblem,
  });
  return (
    <div className="flex items-center gap-1 md:border-t md:border-line md:pt-2">
      <div className="min-w-0 flex-1 px-2 text-sm max-md:hidden">
        <p className="truncate font-medium">{session.tenant_id}</p>
        <p className="truncate text-muted">{session.auth === 'off' ? 'no sign-in' : session.key_name}</p>
      </div>
      {children}
      {session.auth !== 'off' && (
        <IconButton label="Sign out" onClick={() => leaving.mutate()}>
          <LogOut aria-hidden className="size-4" />
        </IconButton>
      )}
    </div>
  );
}

const ICONS = { system: Monitor, light: Sun, dark: Moon };

function ThemeButton() {
  const [theme, setTheme] = useState(readTheme);
  const Icon = ICONS[theme];
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  return (
    <IconButton
      label={`Colours: ${theme}. Change to ${next}`}
      onClick={() => {
        applyTheme(next);
        setTheme(next);
      }}
    >
      <Icon aria-hidden className="size-4" />
    </IconButton>
  );
}
