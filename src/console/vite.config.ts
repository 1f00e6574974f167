/** Builds the console into dist/console. All addresses are relative, so one build can be served below any path. */
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
    // No file is inlined, because fonts and images in `data:` addresses would need an exception in the content security
    // policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Without this group, the first load is 20 files, because each set of screens that share modules gets a file of
          // its own. A browser loads only 6 files at a time.
          groups: [{ name: "first", tags: ["$initial"] }]
        }
      }
    }
  }
})
