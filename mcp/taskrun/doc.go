// Package taskrun keeps the tasks of one client: calls that run in the background while their client asks for their
// status, waits for their result or cancels them, as in protocol 2025-11-25.
//
// It knows nothing of messages, tools and connections: what a task does is a function, and what comes of it is a value
// that this package passes on.
//
// # Rules
//
//   - A task begins when its client has been sent its id, never before (Begin).
//   - A status changes between working and input_required, and then once to completed, failed or cancelled. What a task
//     does after that is ignored.
//   - Changed is called and reports are sent while the task is locked, so nothing about a task follows its last status.
//   - A running task is never forgotten. One that has ended is forgotten when its ttl has passed since its end, or when
//     there are too many and it ended first.
//   - Close returns when nothing runs anymore.
//
// # Decisions
//
// 2026-11-23: tasks are kept here. Rejected: the tasks of mcp-go v1.2.1, which report a result with isError as
// completed, notify all clients of each task, forget tasks that still run, and return an empty result for a cancelled one.
//
// 2026-11-23: the ttl is counted from the end of a task. The protocol allows forgetting a task when the ttl has passed
// since its creation, and a client would then never see the result of a call that took longer. Rejected: counting from
// the creation.
//
// 2026-11-23: tasks that have expired are removed when the client next asks for any. Rejected: a timer for each task,
// since the number of tasks is limited anyway.
package taskrun
