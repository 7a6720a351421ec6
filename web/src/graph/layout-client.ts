/** Asks the worker for a layout; a newer request makes an older one worthless. */
import type { LayoutAnswer, LayoutRequest, Positions } from './layout-messages.js';

export interface LayoutClient {
  /** Undefined if a newer request overtook this one. */
  layOut(request: Omit<LayoutRequest, 'request'>): Promise<Positions | undefined>;
  close(): void;
}

export function createLayoutClient(): LayoutClient {
  let worker: Worker | undefined;
  let last = 0;
  let leave: (() => void) | undefined;
  const stop = () => {
    worker?.terminate();
    worker = undefined;
    leave?.();
  };
  return {
    layOut(request) {
      // A layout cannot be interrupted: a worker that still has one to do is replaced.
      if (leave) stop();
      worker ??= startWorker();
      const own = worker;
      const number = ++last;
      return new Promise((resolve, reject) => {
        const end = () => {
          own.removeEventListener('message', take);
          leave = undefined;
        };
        const take = ({ data }: MessageEvent<LayoutAnswer>) => {
          if (data.request !== number) return;
          end();
          if ('error' in data) reject(new Error(data.error));
          else resolve(data.positions);
        };
        own.addEventListener('message', take);
        leave = () => {
          end();
          resolve(undefined);
        };
        own.postMessage({ ...request, request: number } satisfies LayoutRequest);
      });
    },
    close: stop,
  };
}

function startWorker(): Worker {
  const built = document.querySelector<HTMLMetaElement>('meta[name="layout-worker"]')?.content;
  if (built === undefined) throw new Error('The page was built without its layout worker');
  return new Worker(built, { type: 'module' });
}
