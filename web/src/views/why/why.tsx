export function Why() { return <p>Why</p>; }
