import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { memoryFilterOf } from './memory-filter.js';

export const memoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/memory',
  validateSearch: memoryFilterOf,
  component: lazyRouteComponent(() => import('./memory-screen.js'), 'MemoryScreen'),
});
