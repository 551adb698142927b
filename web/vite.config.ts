import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The console: pages with their own addresses, served by `unround serve`.
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../src/unround/static/console",
    emptyOutDir: true,
    target: "es2022",
    // Content-Security-Policy allows no data: address for scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: { environment: "jsdom", include: ["tests/**/*.test.{ts,tsx}"], testTimeout: 30_000 },
});
