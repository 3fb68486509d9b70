package message

import (
	"cmp"
	"context"
	"slices"

	"chant/engine/spec"
	"chant/gitops"
)

// AgentTrailer names the agent that works from this commit on: its provider, and its model if one was asked for.
const AgentTrailer = "Chant-Agent"

// Leftovers is the event of the commit with what an agent has left uncommitted.
const Leftovers = "leftovers"

// Agents finds which commits agents have made: in git, such a commit is its person's.
type Agents struct {
	repo  *gitops.Repo
	known map[string]string // who works after a commit, "" for a person
}

// NewAgents returns what finds the agents of a repository. It remembers what it has read.
func NewAgents(repo *gitops.Repo) *Agents { return &Agents{repo, map[string]string{}} }

// Maker names who made a commit by its author and the agent that worked for the author, "" for none.
func Maker(author, agent string) string {
	if agent == "" {
		return author
	}
	return agent + " for " + author
}

// maxParents bounds how many commits are read before the one in question: no agent makes as many in an attempt.
const maxParents = 300

// Find returns the agent that made a commit, "" if a person or chant did. It is the one that began to work on the branch last,
// unless its attempt has ended before the commit. Who commits in the worktree of an agent at work counts as the agent.
func (a *Agents) Find(ctx context.Context, c gitops.Commit) (string, error) {
	// Commits with an event are those of chant itself.
	if _, word := SpecAndEvent(c); word != "" && word != Leftovers {
		return "", nil
	}
	if name := c.Trailers[AgentTrailer]; name != "" {
		return name, nil
	}
	var passed []string
	found := ""
	for range maxParents {
		if len(c.Parents) == 0 {
			break
		}
		// Only the first parent is the history of this branch; a merge brings in commits of others.
		at := c.Parents[0]
		who, known := a.known[at]
		if !known {
			var err error
			if c, err = a.repo.ReadCommit(ctx, at); err != nil {
				return "", err
			}
			passed = append(passed, at)
			who, known = begunBy(c)
		}
		if known {
			found = who
			break
		}
	}
	// What is known of an earlier commit holds for all that were passed on the way to it.
	for _, at := range passed {
		a.known[at] = found
	}
	return found, nil
}

// begunBy returns who works after a commit of chant, "" for a person; known is false if the commit does not say it.
func begunBy(c gitops.Commit) (who string, known bool) {
	_, word := SpecAndEvent(c)
	switch {
	// A start without an attempt is that of a person who works on the spec.
	case slices.Contains([]string{string(spec.Start), string(spec.Replay)}, word) && c.Trailers["Chant-Attempt"] != "":
		return cmp.Or(c.Trailers[AgentTrailer], "an agent"), true
	case word == "land", slices.ContainsFunc(spec.Transitions(), func(t spec.Transition) bool { return string(t.Event) == word }):
		return "", true
	}
	return "", false
}
