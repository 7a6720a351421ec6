export function Capabilities() { return <p>Capabilities</p>; }
