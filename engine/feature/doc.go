// Package feature has the operations on features of spec-kit and changes of OpenSpec: making specs of them where they are,
// and what an agent or a person does with the feature of a worktree.
//
// # Rules
//
//   - A folder is adopted in place: its spec names it by the key `source`, and no byte of it changes.
//   - What git does not have yet of a folder that is adopted is committed, because runs start from commits.
package feature
