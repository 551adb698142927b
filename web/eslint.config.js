import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import { globalIgnores } from "eslint/config";
import typescript from "typescript-eslint";

import { LAYERS } from "./layers.js";

export default typescript.config(
  globalIgnores(["node_modules", "src/api/schema.ts", "public"]),
  ...typescript.configs.strict,
  a11y.flatConfigs.recommended,
  hooks.configs.flat.recommended,
  ...LAYERS,
);
