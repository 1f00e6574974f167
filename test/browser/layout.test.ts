/** Every page on a phone in dark colours and on a screen in light ones. The long run has the other two looks. */
import { isReadable } from "./layout.ts"

isReadable([
  { width: 375, isDark: true },
  { width: 1280, isDark: false }
])
