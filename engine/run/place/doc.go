// Package place makes the folders in which criteria run: a clean checkout of one commit, outside the repository and every
// worktree, set up as a worktree is, compared with what it was before each command, and removed afterwards.
//
// # Rules
//
//   - Criteria see what is committed and what set-up makes of it. Uncommitted files of the person's checkout reach it only
//     where the settings copy or link them; an agent that changes those is reported.
//   - A place whose criteria have changed tracked files, or what is checked out, proves nothing: nothing found there is
//     kept, and no other spec is judged there.
//
// # Decisions
//
// 2026-11-22: check trees lie in the user's cache folder. Rejected: .chant/worktrees, as before,
// where tools that search upward find node_modules, go.work or package.json of the person's
// checkout or of an agent; and a folder for temporary files as the first choice, since whoever may
// write there can put such files above the tree. It is the second choice, where the cache folder
// lies inside the repository, cannot be written, or has a project above it.
//
// 2026-11-22: the check tree is compared by what the kernel keeps of each file (size, inode, time of
// the last change) and then by content. Rejected: asking git, whose own cache of files settings and
// "git update-index" lead astray. What was changed in the products of set-up is made again by setting
// up the tree anew. Rejected: reporting it, since builds update what earlier builds made.
//
// 2026-11-22: local branches, tags and settings are compared before and after each command of a criterion. A change of
// the target or of a setting is tampering; one of another branch or of a tag is a warning, since a person or a fetch in
// the background may have made it. What the reflog of a checkout of a person shows, and what other runs land, is left
// out. Rejected: taking a change back, which could delete what a person has just made; and a clone for each check, in
// which criteria that read the history find another repository.
//
// 2026-11-22: links and copies of uncommitted files stay in check trees, and what an agent or a
// criterion changes in them is reported. Rejected: leaving them out, with which "npm test" finds no
// dependencies; and ignoring changes, with which an agent replaces the tool that judges it.
package place
