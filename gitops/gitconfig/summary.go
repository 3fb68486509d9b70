package gitconfig

import (
	"context"
	"slices"
	"strings"
)

// Summary is what the settings say that changes how chant works.
type Summary struct {
	Sign bool // commits are signed
	// HooksElsewhere reports that settings name hooks, or a folder of hooks.
	HooksElsewhere bool
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
		// A key without a value is true.
		if !given && key == signKey {
			value = "true"
		}
		last[key] = value
	}
	answer := summarize(last)
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
	// Git has more spellings of a boolean and refuses what is none, so it decides the rare ones.
	return s.Bool(ctx, s.Site.Home, signKey)
}

// summarize decides from the last value of each setting.
func summarize(last map[string]string) (s Summary) {
	for key, value := range last {
		if unfaithful(key, value) {
			s.Unfaithful = append(s.Unfaithful, key+"="+value)
		}
		s.TreesDiffer = s.TreesDiffer || slices.Contains([]string{
			"extensions.worktreeconfig", "extensions.relativeworktrees", "worktree.userelativepaths", "core.sparsecheckout", "core.worktree",
		}, key)
		s.HooksElsewhere = s.HooksElsewhere || key == "core.hookspath" || strings.HasPrefix(key, "hook.")
	}
	slices.Sort(s.Unfaithful)
	return s
}
