// Package sandbox says what the agent of a run and its criteria may do on this machine: which paths they can write,
// which they cannot read, and with which caches and temporary files they work.
//
// It enforces nothing; providers/wall does.
//
// # Rules
//
//   - An agent writes to its worktree, to a folder for temporary files and caches that only agents use, to the settings
//     of its CLI, and of git to loose objects, its worktree's own folder and the folder of the branches of runs. It
//     writes to no other branch, no setting, no note, no journal and no file of the person's checkout.
//   - Criteria, and the set-up of the tree in which they run, write to that tree, to a folder for temporary files and to
//     caches that no agent can write to.
//   - Neither reads the keys with which evidence is signed, credentials of the fleet, logs, or the worktrees of other runs. Both read all of git's
//     folder, with the journals in it.
//
// # Decisions
//
// 2026-11-30: a file with a secret is hidden at every place to which its path leads, and so is each link in a folder of such files
// (disk.Leads): programs for dotfiles link keys from elsewhere. Before, the folder was resolved and a link in it was not.
// Rejected: refusing keys that are links, as hard links are, since people have them and nothing else is wrong with them.
//
// 2026-11-28: with sandbox.network: models, criteria and set-up are kept to the hosts of the settings, too, where the system can
// do that: they run what the agent has written. Agents do not start where it cannot, but criteria run, so that CI in a container
// checks a project with this setting. Rejected: a limit for agents alone, as with ports, since a test could send what its agent
// cannot.
//
// 2026-11-28: the port of the proxy is always the same, since it is in a network of its own, so variables can name it before
// the network is made, and an agent that is asked by a command in the network of another uses that one's. Rejected: the hosts
// of a provider only where a key for them is set, since logins are also in files.
//
// 2026-11-28: pushing to the repository's remotes is refused by git's own settings in the environment, for the addresses of the
// remotes and how else they can be written. An agent that clears its environment and has a login and an open network can
// push; sandbox.network keeps it from that. Rejected: refusing every push, without which tests fail that make repositories;
// a hook, which would replace those of the project; and hiding logins, which agents need to fetch.
//
// 2026-11-28: a command of chant that an agent has asked for has the agent's policy and few more folders to write to, and
// gets the run for which it acts from the process of that run (SpecKey). Before, it had a policy of its own, which read
// everything but keys, and acted for the run whose branch was checked out, which an agent can choose. Rejected: looking for
// paths in the arguments of each command.
//
// 2026-11-28: temporary files of specs and evidence are in a folder of their own (.chant/cache/.temp), so that such a command
// writes them without reading the cache, which has the tokens of servers and the settings of other agents.
//
// 2026-11-28: a hook of the project runs without bounds only in a worktree of a person whose commit has landed on the target;
// elsewhere it has those of an agent, or changes only what is there (ForFolder). Before, a branch of a run had to be
// checked out. Rejected: asking whether there is a terminal, which an agent can make.
//
// 2026-11-28: caches hold copies of the person's settings and logins of cargo and gradle, made anew for each step. Rejected:
// links, which made the caches a way to the person's folders for whatever follows one; and variables, since cargo has none
// for registries and credential providers, nor gradle for scripts.
//
// 2026-11-28: no rule is made for a path in a folder to which an agent can write already, since the path could have become a
// link. Rejected: following it once and keeping what it led to, which a killed process would forget.
//
// 2026-11-26: chant's folder in that of git is not hidden any more. A folder above a hidden one cannot be allowed as a whole,
// only each file that is in it when the wall is built; git replaces config and packed-refs as files, and after a
// "git config" or "git gc" of a person no agent could run git. Rejected: hiding the journals all the same, which have no
// secrets; and a folder elsewhere for them, which copies of a repository would share. So an agent can take the lock of a
// file that it can read there, and delay others until it ends.
//
// 2026-11-26: git removes empty folders of loose objects and of branches, and makes them anew when it needs them, without
// the rules of the wall: a file in each keeps them ("git gc", whose person has not said --prune=now). Rejected: a rule for
// the folder of objects, with which agents could remove packs.
//
// 2026-11-26: agents and criteria get caches of their own for each repository, beside the folder of check trees, by the
// variables of each tool. Rejected: those of the user, in which an agent could put what later builds use; and
// one for all repositories, through which an agent of one would reach another.
//
// 2026-11-26: Go modules that the user has are found through a GOPROXY that is a folder. Rejected: the user's module
// cache itself, which go needs to write to for each new module.
//
// 2026-11-26: of the folder of objects only the 256 folders of loose objects can be written, so that no agent can
// remove packs or name objects of another repository (alternates). Rejected: the whole folder.
//
// 2026-11-26: in the folders of loose objects and of branches, agents can make nothing but files and folders. A link there
// would lead git, and what chant does with a branch, elsewhere, and a pipe would stop every git that lists branches.
// 2026-11-28: nor in the folder that git keeps of a worktree, but for the repositories of submodules in it, where git makes
// links to find out whether the file system has them. Rejected: leaving it out: a pipe there stopped "git worktree add" of
// every other run, and git commands of the person.
//
// 2026-11-28: what that folder says does not count, since its agent writes it: not where the worktree is, and for others no
// branch but that of its run (Claims). Whose folder it is shows its name and the journal of the run. Rejected: mending it
// when the agent has ended, as before: while it works, others have taken its folder of temporary files for a checkout of
// main, and run its hooks there.
//
// 2026-11-28: a path of the settings in a folder to which agents may write by the settings stands for that folder. Rejected:
// what it leads to, since an agent can make it a link; and refusing such settings, which worked.
//
// 2026-11-26: objects of agents go to the folders of the repository. Rejected: folders of their own by
// GIT_OBJECT_DIRECTORY, with which the commits of a running agent are missing for everyone else: "git log", status, gc and
// editors fail on its branch and in its worktree, and so does every program of the agent that clears its environment. And
// packing all loose objects before each agent, which it could not delete then: 40 ms of CPU time for 300 of them and
// 470 ms for 5,300, at each start, and as many packs. Missing and replaced objects are found before anything lands.
//
// 2026-11-26: criteria of all specs of a repository share their caches. Rejected: caches of a spec alone, with which each
// run would build everything again; and caches that checks of other commits cannot write to, since then nobody fills
// them. What tools read of settings there is removed before each check.
//
// 2026-11-26: chmod, chown, times and attributes of files outside are not restricted: Landlock has no rights for them, and
// a filter of system calls sees no paths. Rejected: refusing these calls everywhere, without which git, tar and npm fail.
//
// 2026-11-26: all branches of runs share a folder, in which git renames files; so an agent can move another run's
// branch. What it commits there is overwritten by that run's own worktree, or does not land, since chant knows the tip
// that it completed. Rejected: a folder for each branch, which would change the names of all branches.
package sandbox
