// Why files could not be read: the reason, and apart from it the long list of formats.
export interface Reason {
  text: string;
  formats: string | null; // the long list of formats that would be understood
}

export function reasonInPage(reason: string): Reason {
  const [first = "", rest] = reason.split(/\s*Understood are: /, 2);
  if (rest === undefined) return { text: first, formats: null };
  const list = rest.replace(/\.?\s*For a table of your own.*$/s, ".");
  return {
    text: `${first} If it is a table of your own, say which column is which under “How to read the files”.`,
    formats: `Understood are: ${list}`,
  };
}
