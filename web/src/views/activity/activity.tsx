export function Activity() { return <p>Activity</p>; }
