/** What a view shows when there is nothing, not yet, or something went wrong. */
import type { ComponentChildren } from 'preact';

import type { Query } from '../use-query.js';

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Loading() {
  return (
    <div class="loading" role="status">
      <span aria-hidden="true" />
      <span aria-hidden="true" />
      <span aria-hidden="true" />
      <p class="hidden-text">Loading</p>
    </div>
  );
}

export function Failure({
  error,
  retry,
}: {
  readonly error: Error;
  readonly retry?: (() => void) | undefined;
}) {
  return (
    <div class="notice" role="alert">
      <span>{error.message}</span>
      {retry && (
        <button type="button" class="small push" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** The data of a query; until it is there, that it loads or why it cannot. */
export function Loaded<T>({
  query,
  children,
}: {
  readonly query: Query<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, error, reload } = query;
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      {data !== undefined ? children(data) : !error && <Loading />}
    </>
  );
}
