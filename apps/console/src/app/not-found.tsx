import { Link } from '@tanstack/react-router';
import { Empty } from '../ui/notice.js';

export function NotFound() {
  return (
    <Empty title="There is no such page">
      <Link to="/runs" className="text-accent underline">
        Go to the runs
      </Link>
    </Empty>
  );
}
