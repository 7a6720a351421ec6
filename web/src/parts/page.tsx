import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly crumbs?: readonly { readonly text: string; readonly href: string }[];
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The head of a view and what it shows; names the tab of the browser. */
export function Page({ title, about, crumbs = [], actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · PML`;
  }, [title]);
  return (
    <>
      <header class="head">
        <div class="head-text">
          {crumbs.length > 0 && (
            <nav class="crumbs" aria-label="Breadcrumb">
              {crumbs.map(({ text, href }) => (
                <span key={href}>
                  <a href={href}>{text}</a> /
                </span>
              ))}
            </nav>
          )}
          <h1>{title}</h1>
          {about && <p>{about}</p>}
        </div>
        {actions && <div class="tools">{actions}</div>}
      </header>
      <div class="stack">{children}</div>
    </>
  );
}

interface CardProps {
  readonly title: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly tone?: 'attention';
  /** Without padding, for tables. */
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
}

export function Card({ title, aside, tone, isFlush = false, children }: CardProps) {
  return (
    <section class={`card${tone ? ` ${tone}` : ''}`}>
      <header>
        <h2>{title}</h2>
        {aside && <div class="push row wrap-row">{aside}</div>}
      </header>
      {isFlush ? children : <div class="card-body stack">{children}</div>}
    </section>
  );
}

export interface Segment {
  readonly text: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

export function Segments({
  label,
  items,
}: {
  readonly label: string;
  readonly items: readonly Segment[];
}) {
  return (
    <nav class="segments" aria-label={label}>
      {items.map(({ text, href, isCurrent }) => (
        <a key={href} href={href} {...(isCurrent && { 'aria-current': 'true' as const })}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** A few numbers in a row. */
export function Figures({
  items,
}: {
  readonly items: readonly {
    readonly name: string;
    readonly value: ComponentChildren;
    readonly note?: string;
  }[];
}) {
  return (
    <dl class="figures">
      {items.map(({ name, value, note }) => (
        <div key={name} class="figure">
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note && <dd class="muted note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
