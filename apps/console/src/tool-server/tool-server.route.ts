import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';

export const newToolServerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools/servers/new',
  component: lazyRouteComponent(() => import('./new-tool-server-screen.js'), 'NewToolServerScreen'),
});

export const toolServerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools/servers/$id',
  component: lazyRouteComponent(() => import('./tool-server-screen.js'), 'ToolServerScreen'),
});
