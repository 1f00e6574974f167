/**
 * Tests every page on a phone in dark colours and on a large screen in light colours. The long test run also tests the
 * other two combinations.
 */
import { isReadable } from "./layout.ts"

isReadable([
  { width: 375, isDark: true },
  { width: 1280, isDark: false }
])
