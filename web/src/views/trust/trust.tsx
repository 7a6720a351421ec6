export function Trust() { return <p>Trust</p>; }
