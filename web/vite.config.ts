import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The console: pages with their own addresses, served by `unround serve`.
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../src/unround/static/console",
    emptyOutDir: true,
    target: "es2022",
    license: { fileName: "license.md" }, // of the packages whose code is inside
    // Content-Security-Policy allows no data: address for scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: {
    testTimeout: 30_000,
    restoreMocks: true,
    unstubGlobals: true,
    projects: [
      { extends: true, test: { name: "plain", include: ["tests/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "pages",
          include: ["tests/**/*.test.tsx"],
          environment: "jsdom",
          setupFiles: ["tests/support/pages.ts"],
        },
      },
    ],
  },
});
