/** What the embedder and the process of its model say to each other. */
import type { BertFiles } from './bert-encoder.js';
import type { RuntimeChoice } from './onnx-runtime.js';
import type { TransformersModel } from './transformers-encoder.js';

export type ModelSource =
  | { readonly kind: 'bert'; readonly files: BertFiles; readonly runtime: RuntimeChoice }
  | { readonly kind: 'transformers'; readonly model: TransformersModel };

export type Priority = 'query' | 'background';

export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
  readonly priority: Priority;
}

export type ToModel =
  | { readonly kind: 'load'; readonly source: ModelSource }
  | ({ readonly kind: 'embed' } & EmbedRequest)
  | { readonly kind: 'cancel'; readonly id: number };

export type FromModel =
  | {
      readonly kind: 'loaded';
      readonly runtime: string;
      readonly fallbackReason?: string;
      readonly dimension: number;
    }
  | { readonly kind: 'load-failed'; readonly message: string }
  | { readonly kind: 'embedded'; readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'embed-failed'; readonly id: number; readonly message: string };
