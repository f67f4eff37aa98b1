import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { usageSearchOf } from './usage-search.js';

export const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: usageSearchOf,
  component: lazyRouteComponent(() => import('./usage-screen.js'), 'UsageScreen'),
});
