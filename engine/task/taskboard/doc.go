// Package taskboard is what operations on tasks and sprints have in common: the settings by which the tasks of a project
// are read, its projects, the person who calls, and the numbers of new tasks.
//
// # Rules
//
//   - A number is given once: it is assigned under the lock of add, and the commit that creates a task names it, so that
//     a fresh clone continues behind the highest.
//   - One function (WhoIs) resolves @me for every command and tool.
package taskboard
