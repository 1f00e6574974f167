/**
 * Decides which texts are allowed as the name of the pod, or as the new name of a person. Other people see such a name
 * as plain text, and the name of the pod even before the sign-in.
 */
// the maximum number of characters in the name of a pod
export const podNameMax = 80

/**
 * Control characters, separators of lines, and marks that are invisible or reverse the direction of the text. With such
 * a character, a name could look like another name, or like a part of the page. The joining marks and variant marks of
 * emoji and of some scripts are allowed.
 */
const unfit = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A character that a person sees. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

const isName = (name: string, max: number): boolean =>
  name.length > 0 && [...name].length <= max && !unfit.test(name) && visible.test(name)

export const isPodName = (name: string): boolean => isName(name, podNameMax)

// the maximum number of characters in the name of a person
export const personNameMax = 100

export const isPersonName = (name: string): boolean => isName(name, personNameMax)
