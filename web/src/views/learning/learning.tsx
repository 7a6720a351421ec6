export function Learning() { return <p>Learning</p>; }
