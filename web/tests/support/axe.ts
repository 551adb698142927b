// What axe-core finds; contrast needs a real browser and is checked in one.
import core from "axe-core";

export async function axe(container: Element): Promise<string[]> {
  const found = await core.run(container, { rules: { "color-contrast": { enabled: false } } });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}
