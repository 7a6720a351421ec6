export function Graph() { return <p>Graph</p>; }
