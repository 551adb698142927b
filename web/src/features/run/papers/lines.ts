// What stands in the table, line by line: papers, and under an open one its reviews.
export interface Line {
  kind: "paper" | "reviews";
  paper: number;
}

export function linesOf(papers: number[], open: Set<number>): Line[] {
  const lines: Line[] = [];
  for (const paper of papers) {
    lines.push({ kind: "paper", paper });
    if (open.has(paper)) lines.push({ kind: "reviews", paper });
  }
  return lines;
}
