package gitconfig

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
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
	Checkout         string // the settings that change what a checkout writes
	// Unfaithful are the settings that could make a checkout write something else than the commit has, as "key=value".
	Unfaithful  []string
	TreesDiffer bool // worktrees have settings of their own, are sparse, or are registered in another way
}

// known is the last answer of Summary, and what it was read from.
type known struct {
	mu     sync.Mutex
	stamp  string
	answer Summary
}

// Summary asks git once. It asks again when one of the settings files that people change has changed, and each time
// if settings include further files.
func (s *Settings) Summary(ctx context.Context) (Summary, error) {
	s.known.mu.Lock()
	defer s.known.mu.Unlock()
	stamp := s.stamp()
	if stamp == s.known.stamp {
		return s.known.answer, nil
	}
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"config", "--includes", "-z", "--list"}})
	if err != nil {
		return Summary{}, err
	}
	last, included := map[string]string{}, false
	for _, entry := range gitexec.Records(out) {
		key, value, given := strings.Cut(entry, "\n")
		if !given && key == signKey {
			value = "true" // a key without a value is true
		}
		last[key] = value
		included = included || strings.HasPrefix(key, "include")
	}
	answer := summarize(last, os.LookupEnv)
	if answer.Sign, err = s.signs(ctx, last[signKey]); err != nil {
		return Summary{}, err
	}
	if !included {
		s.known.answer, s.known.stamp = answer, stamp
	}
	return answer, nil
}

const signKey = "commit.gpgsign"

// variables lists the environment variables that decide who commits, and when.
var variables = []string{
	"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE",
	"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "EMAIL", "TZ",
}

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

// stamp identifies the contents of the settings files that people change.
func (s *Settings) stamp() string {
	paths := []string{filepath.Join(s.Site.Common, "config"), filepath.Join(s.Site.Common, "config.worktree")}
	if global := os.Getenv("GIT_CONFIG_GLOBAL"); global != "" {
		paths = append(paths, global)
	}
	if home, err := os.UserHomeDir(); err == nil {
		paths = append(paths, filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config", "git", "config"))
	}
	if folder := os.Getenv("XDG_CONFIG_HOME"); folder != "" {
		paths = append(paths, filepath.Join(folder, "git", "config"))
	}
	var all strings.Builder
	for _, path := range paths {
		if text, err := layout.ReadPlain(path); err == nil {
			all.Write(text)
		}
		all.WriteByte(0)
	}
	for _, name := range variables {
		value, set := os.LookupEnv(name)
		fmt.Fprintf(&all, "%t %s\x00", set, value)
	}
	return all.String()
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
	var checkout []string
	for key, value := range last {
		if strings.HasPrefix(key, "filter.") || strings.HasPrefix(key, "core.") && runsSomething(key) {
			checkout = append(checkout, key+"="+value+"\n")
		}
		if unfaithful(key, value) {
			c.Unfaithful = append(c.Unfaithful, key+"="+value)
		}
		c.TreesDiffer = c.TreesDiffer || slices.Contains([]string{
			"extensions.worktreeconfig", "extensions.relativeworktrees", "worktree.userelativepaths", "core.sparsecheckout", "core.worktree",
		}, key)
		c.IgnoresElsewhere = c.IgnoresElsewhere || key == "core.excludesfile"
		c.HooksElsewhere = c.HooksElsewhere || key == "core.hookspath" || strings.HasPrefix(key, "hook.")
	}
	slices.Sort(checkout)
	slices.Sort(c.Unfaithful)
	c.Checkout = strings.Join(checkout, "")
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
