import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { trySearchOf } from './try-search.js';

export const tryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/try',
  validateSearch: trySearchOf,
  component: lazyRouteComponent(() => import('./try-screen.js'), 'TryScreen'),
});
