/** Builds the console into dist/console. All addresses are relative, so one build serves any sub-path. */
import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: fileURLToPath(new URL("../../dist/console", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // The content security policy would need an extra exception for fonts and images in `data:` addresses, so no file
    // is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false }
  }
})
