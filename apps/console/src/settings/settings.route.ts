import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { settingsSearchOf } from './settings-search.js';

export const settingsHomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- it is how the router is asked to go elsewhere
    throw redirect({ to: '/settings/$tab', params: { tab: 'models' } });
  },
});

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/$tab',
  validateSearch: settingsSearchOf,
  component: lazyRouteComponent(() => import('./settings-screen.js'), 'SettingsScreen'),
});
