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
    // A data: address of a font or an image would need its own exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false }
  }
})
