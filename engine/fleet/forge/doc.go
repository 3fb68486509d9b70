// Package forge asks the program of a forge about pull requests, and has it open them: gh for GitHub, glab for GitLab.
//
// # Rules
//
//   - Only the programs know how to log in; this package never sees a token, and removes what looks like one from their
//     output.
//   - A program gets the repository by its address, so that its answer does not depend on the folder it is started in.
//   - A pull request from another repository is not one of the project, even if its branch has the same name.
//
// # Decisions
//
// 2026-11-26: the programs of the forges instead of their HTTP interfaces, because people are logged in to them already
// and they know about proxies, single sign-on and hosts of one's own. Rejected: a token in the settings or in the
// environment, which would be one more secret to keep from agents.
//
// 2026-11-26: a host with "github" or "gitlab" in its name is what it says; any other host belongs to the program that is
// logged in to it. Rejected: a setting for the kind of forge, which each login already answers.
package forge
