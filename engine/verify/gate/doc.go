// Package gate stops a commit, a push or a CI job that breaks a rule of the project. It contains the git hooks (run.go,
// push.go), their installation (install.go, remove.go, status.go) and the check of CI jobs (ci.go).
//
// # Rules
//
//   - A hook does not stop git because no project is checked out, or because the settings cannot be read. It then uses
//     the committed settings, and reports that.
//   - A user's own hook is never lost: it is kept next to ours and restored when ours is removed.
package gate
