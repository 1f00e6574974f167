/** The marks by which the pod recognises a sample workspace, even after somebody has renamed it. */

export const sampleTemplate = "pod-demo"
export const sampleType = "project"
