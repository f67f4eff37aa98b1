import { describeWithRedis } from '../../support/services/test-redis.js';
import { dieEverywhere } from './die-everywhere.js';

describeWithRedis('a process that dies, or is frozen and overtaken, with the queue in Redis', () => {
  dieEverywhere('redis');
});
