// Package gate stops a commit, a push or a CI job that breaks a rule of the project: the git hooks, their installation, and
// the check of CI.
//
// # Rules
//
//   - A hook stops no one because no project is checked out, or because of settings that cannot be read: the committed
//     ones count then, and that is reported.
//   - A hook of the user's is never lost: it is kept beside ours and comes back when ours goes.
package gate
