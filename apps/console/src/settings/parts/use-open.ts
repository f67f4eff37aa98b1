import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { tabOf } from '../settings-search.js';

const route = getRouteApi('/settings/$tab');

/** The open thing of the tab, by the address, with ways to open and to close. */
export function useOpen() {
  const { open = null } = route.useSearch();
  const tab = tabOf(route.useParams().tab) ?? 'models';
  const navigate = useNavigate();
  return {
    open,
    show: (id: string): void =>
      void navigate({ to: '/settings/$tab', params: { tab }, search: { open: id } }),
    close: (): void => void navigate({ to: '/settings/$tab', params: { tab }, ignoreBlocker: true }),
    /** Like a link, so that unsaved changes are asked about. */
    leave: (): void => void navigate({ to: '/settings/$tab', params: { tab } }),
  };
}
