// Package task is the domain of tasks and sprints as clients of lotar know them: operations on both, the board's texts, import
// and export. How a spec is a task, and what a sprint is, are rules of engine/spec.
package task
