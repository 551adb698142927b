// In place of a page that broke: a sentence, never nothing.
import { Component, type ReactNode } from "react";

import { Button } from "./buttons";
import { Notice } from "./Notice";

export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice tone="bad">
        <div className="row spread">
          <span>This page could not be shown.</span>
          <Button onClick={() => window.location.reload()}>Load it again</Button>
        </div>
      </Notice>
    );
  }
}
