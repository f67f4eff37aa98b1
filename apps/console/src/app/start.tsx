import { StrictMode, type CSSProperties } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Toaster } from 'sonner';
import { signedOut } from '../api/client.js';
import { consoleSessionQuery } from '../api/console-session.js';
import { queryClient } from './query-client.js';
import { router } from './router.js';
import { applyTheme, readTheme } from './theme.js';

/** The theme of the console, which may be another one than that of the system. */
const TOAST_COLOURS = {
  '--normal-bg': 'var(--color-raised)',
  '--normal-text': 'var(--color-ink)',
  '--normal-border': 'var(--color-line)',
} as CSSProperties;

/** Shows the console inside of an element of the page. */
export function startConsole(element: Element): void {
  applyTheme(readTheme());
  signedOut.listener = () => void queryClient.invalidateQueries({ queryKey: consoleSessionQuery.queryKey });
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toaster
          position="bottom-right"
          closeButton
          toastOptions={{ duration: 5_000, classNames: { description: 'text-muted!' } }}
          style={TOAST_COLOURS}
        />
      </QueryClientProvider>
    </StrictMode>,
  );
}
