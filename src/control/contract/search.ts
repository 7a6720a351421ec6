/** How tools are found: the model, what it has indexed, what is remembered, and how hits are weighed. */
export interface SearchStatus {
  /** As configured. */
  readonly model: string;
  /** The model and its form; missing while there is none. */
  readonly space?: string;
  readonly state: 'none' | 'idle' | 'loading' | 'ready' | 'failed';
  readonly runtime?: string;
  readonly loadMs?: number;
  readonly tools: number;
  /** Tools that can be found by meaning. */
  readonly indexed: number;
  /** Tools and past requests that are still to be embedded. */
  readonly waiting: number;
  /** Texts embedded since the start. */
  readonly made: { readonly texts: number; readonly ms: number };
  /** Past requests with the tools that served them. */
  readonly remembered: number;
  readonly ranking: RankingStatus;
  readonly error?: string;
  readonly fix?: string;
}

export interface RankingStatus {
  readonly kind: string;
  /** What it was chosen by; empty before there was anything to measure. */
  readonly metric: object;
}

export interface SearchAnswer {
  readonly intent: string;
  /** False: words alone decided. */
  readonly byMeaning: boolean;
  /** Even the best is more likely wrong than right. */
  readonly isWeak: boolean;
  readonly search: SearchStatus;
  /** Servers whose tools are not known yet. */
  readonly unlisted: readonly string[];
  /** Best first. */
  readonly hits: readonly FoundTool[];
}

export interface FoundTool {
  readonly tool: string;
  readonly server: string;
  /** Probability that it is what was wanted. */
  readonly score: number;
  readonly description: string;
  /** It is too far below the best hit to be worth an agent's tokens: `pml_discover` leaves it out. */
  readonly isLeftOut?: true;
  /** Words of the intent, and where the tool has them. */
  readonly words: readonly { readonly word: string; readonly field: string }[];
  readonly reasons: readonly string[];
  /** Strongest first. */
  readonly signals: readonly SignalShare[];
}

export interface SignalShare {
  readonly signal: string;
  readonly value: number;
  readonly weight: number;
  /** What it added to the score. */
  readonly share: number;
}
