package gitconfig

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"
)

// Summary is what settings and environment say about the commits of this process, hooks and ignore rules.
type Summary struct {
	Sign bool
	// ByGit reports that only "git commit-tree" can write the commit as git would: who commits, or when, is not plainly
	// given, or the settings ask for an encoding or for syncing.
	ByGit             bool
	Author, Committer string // "Name <mail>"; "" with ByGit
	// HooksElsewhere reports that settings name hooks, or a folder of hooks.
	HooksElsewhere bool
	// IgnoresElsewhere reports that settings name a file of ignore rules.
	IgnoresElsewhere bool
	// Unfaithful are the settings that could make a checkout write something else than the commit has, as "key=value".
	Unfaithful  []string
	TreesDiffer bool // worktrees have settings of their own, are sparse, or are registered in another way
}

// Summary asks git only if the settings can have changed.
func (s *Settings) Summary(ctx context.Context) (Summary, error) {
	list, err := s.list(ctx)
	if err != nil {
		return Summary{}, err
	}
	last := map[string]string{}
	for _, entry := range list {
		key, value, given := strings.Cut(entry, "\n")
		if !given && key == signKey {
			value = "true" // a key without a value is true
		}
		last[key] = value
	}
	answer := summarize(last, os.LookupEnv)
	answer.Sign, err = s.signs(ctx, last[signKey])
	return answer, err
}

const signKey = "commit.gpgsign"

// signs reads a value of the setting to sign; git reads what is not plainly a boolean, and refuses what is none.
func (s *Settings) signs(ctx context.Context, value string) (bool, error) {
	switch value {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return s.Bool(ctx, s.Site.Home, signKey)
}

// summarize decides from the last value of each setting, and from the environment.
func summarize(last map[string]string, env func(string) (string, bool)) Summary {
	who := func(role string) string {
		upper := "GIT_" + strings.ToUpper(role)
		name := first(env, last, "$"+upper+"_NAME", role+".name", "user.name")
		mail := first(env, last, "$"+upper+"_EMAIL", role+".email", "user.email", "$EMAIL")
		if !plain(name) || !plain(mail) {
			return ""
		}
		return name + " <" + mail + ">"
	}
	c := Summary{Author: who("author"), Committer: who("committer")}
	for key, value := range last {
		if unfaithful(key, value) {
			c.Unfaithful = append(c.Unfaithful, key+"="+value)
		}
		c.TreesDiffer = c.TreesDiffer || slices.Contains([]string{
			"extensions.worktreeconfig", "extensions.relativeworktrees", "worktree.userelativepaths", "core.sparsecheckout", "core.worktree",
		}, key)
		c.IgnoresElsewhere = c.IgnoresElsewhere || key == "core.excludesfile"
		c.HooksElsewhere = c.HooksElsewhere || key == "core.hookspath" || strings.HasPrefix(key, "hook.")
	}
	slices.Sort(c.Unfaithful)
	encoding := strings.ToLower(last["i18n.commitencoding"])
	zone, _ := env("TZ")
	c.ByGit = c.Author == "" || c.Committer == "" || encoding != "" && encoding != "utf-8" || !sameZone(zone)
	for _, name := range []string{"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
		_, set := env(name)
		c.ByGit = c.ByGit || set
	}
	for _, key := range []string{"core.fsync", "core.fsyncmethod", "core.fsyncobjectfiles"} {
		c.ByGit = c.ByGit || last[key] != ""
	}
	if c.ByGit {
		c.Author, c.Committer = "", ""
	}
	return c
}

// first returns the first of these settings and variables ("$NAME") that is given, even if it is empty.
func first(env func(string) (string, bool), last map[string]string, names ...string) string {
	for _, name := range names {
		value, given := last[name]
		if variable, ok := strings.CutPrefix(name, "$"); ok {
			value, given = env(variable)
		}
		if given {
			return value
		}
	}
	return ""
}

// plain reports whether git writes a name or an address as it is: git removes some characters everywhere, and others at
// both ends.
func plain(text string) bool {
	if text == "" || strings.ContainsAny(text, "\n<>\x00") {
		return false
	}
	crud := func(c byte) bool { return c <= ' ' || strings.IndexByte(`.,:;"\'`, c) >= 0 }
	return !crud(text[0]) && !crud(text[len(text)-1])
}

// sameZone reports whether Go reads this value of TZ as the C library does.
func sameZone(zone string) bool {
	if zone == "" {
		return true
	}
	_, err := time.LoadLocation(zone)
	return err == nil && zone != "Local"
}
