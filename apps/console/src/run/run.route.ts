import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { runSearchOf } from './run-search.js';

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$id',
  validateSearch: runSearchOf,
  component: lazyRouteComponent(() => import('./run-screen.js'), 'RunScreen'),
});
