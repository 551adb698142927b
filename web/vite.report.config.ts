import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The offline report: one script and one style sheet, which Python puts into a single file.
export default defineConfig({
  plugins: [react()],
  define: { "process.env.NODE_ENV": '"production"' },
  publicDir: false,
  build: {
    outDir: "../src/unround/static/report",
    emptyOutDir: true,
    target: "es2022",
    license: { fileName: "license.md" }, // of the packages whose code is inside
    cssCodeSplit: false,
    lib: {
      entry: "src/report.tsx",
      formats: ["iife"],
      name: "unroundReport",
      fileName: () => "report.js",
      cssFileName: "report",
    },
  },
});
