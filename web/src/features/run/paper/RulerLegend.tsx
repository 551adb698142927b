// The legend of the rulers.
import type { ReactNode } from "react";

import { ROUNDING_RANGE, TERMS } from "../../../domain/glossary";

export function RulerLegend() {
  return (
    <ul className="ruler-legend">
      <li>
        <Key>
          <circle className="ruler-given" cx="8" cy="8" r="5" />
        </Key>
        Given
      </li>
      <li>
        <Key>
          <circle className="ruler-new" cx="8" cy="8" r="5" />
        </Key>
        Dequantized
      </li>
      <li>
        <Key>
          <line className="ruler-other" x1="8" x2="8" y1="0" y2="16" />
        </Key>
        Other reviews, dequantized
      </li>
      <li>
        <Key>
          <rect className="ruler-cell" width="16" height="16" rx="3" />
        </Key>
        <span title={TERMS.rounding_range.text}>Its {ROUNDING_RANGE}</span>
      </li>
    </ul>
  );
}

function Key({ children }: { children: ReactNode }) {
  return (
    <svg width="16" height="16" aria-hidden="true">
      {children}
    </svg>
  );
}
