// Package worker takes specs from the queue of a fleet and works them in a clone of its machine.
//
// # Rules
//
//   - A run begins only with a claim in the remote, and each push renews that. A worker that has lost its claim stops the
//     run and pushes nothing more; what it could not push stays in its clone.
//   - The branch is pushed whenever it has moved, so that another worker can continue from there.
//   - What is over is handed over: once the branch is in the remote, worktree and branch are removed here. What another
//     worker has continued meanwhile is kept in the remote under refs/chant/rescue.
//   - A worker lands nothing.
package worker
