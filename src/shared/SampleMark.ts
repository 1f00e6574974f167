/**
 * The marks by which the pod recognises a sample workspace, even after somebody has renamed it. The database function
 * `remove_sample_workspace` (migration 0121) has the same values.
 */

export const sampleTemplate = "pod-demo"
export const sampleType = "project"
