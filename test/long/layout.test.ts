/** Checks every page on a phone with light colours, and on a large screen with dark colours. */
import { isReadable } from "../browser/layout.ts"

isReadable([
  { width: 375, isDark: false },
  { width: 1280, isDark: true }
])
