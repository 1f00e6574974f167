/** Every page on a phone in light colours and on a screen in dark ones. */
import { isReadable } from "../browser/layout.ts"

isReadable([
  { width: 375, isDark: false },
  { width: 1280, isDark: true }
])
