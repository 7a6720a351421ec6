/** A view whose code is loaded when the user opens it. */
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Failure, Loading } from './parts/states.js';

type Outcome = { readonly view: FunctionComponent } | { readonly error: Error };

export function lazyView(load: () => Promise<FunctionComponent>): FunctionComponent {
  let known: FunctionComponent | undefined;
  return function Lazy() {
    const [outcome, setOutcome] = useState<Outcome | undefined>(known && { view: known });
    useEffect(() => {
      if (known) return;
      load().then(
        (view) => {
          known = view;
          setOutcome({ view });
        },
        (error: unknown) =>
          setOutcome({ error: new Error(`Cannot load this view: ${String(error)}`) }),
      );
    }, []);
    if (!outcome) return <Loading />;
    if ('error' in outcome)
      return <Failure error={outcome.error} retry={() => location.reload()} />;
    const { view: View } = outcome;
    return <View />;
  };
}
