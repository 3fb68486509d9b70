package gate

import (
	"context"
	"strings"

	"chant/engine/format/hooks"
	"chant/engine/run/attempt"
	"chant/gitops"
)

// gitSetting is a key and a value in the git configuration of the repository.
type gitSetting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// The setting for git's merge driver: its key, how values written by chant begin, and the value that the first versions
// of chant wrote.
const (
	driverKey  = hooks.DriverKey
	driverText = hooks.DriverText
	driverOnce = "chant merge-driver %O %A %B %P"
)

// MergeSettings returns the settings with which git merges spec files: by the chant on the PATH, or else by program, or
// else as text. An editor that starts git may have a short PATH, and without chant no side may be lost. If chant exits
// with a code other than 0 and 7, it has written nothing, and the next way is tried.
func MergeSettings(program string) []gitSetting {
	return []gitSetting{{hooks.DriverName, hooks.DriverTitle}, {driverKey, hooks.MergeDriver(program)}}
}

// isOutdated reports whether a value was written by an older version of chant and differs from the present one.
func (s gitSetting) isOutdated(have string) bool {
	return s.Key == driverKey && have != s.Value && (have == driverOnce || strings.HasPrefix(have, driverText))
}

// notesSetting lets git copy the evidence of a commit when the commit is rewritten. The value is a pattern, because git
// would warn about a ref that does not exist, as before the first run.
func notesSetting() gitSetting { return gitSetting{"notes.rewriteRef", attempt.NotesRef + "*"} }

// ApplySettings writes the settings that have no value, and replaces outdated values that chant wrote. made lists the
// settings that it added, left those that already had a value.
func ApplySettings(ctx context.Context, repo *gitops.Repo, want []gitSetting) (made, left []gitSetting, err error) {
	for _, s := range want {
		// A user's own value is kept.
		have, err := repo.Config(ctx, s.Key)
		if err != nil {
			return made, left, err
		}
		if s.isOutdated(have) {
			if err := repo.SetConfig(ctx, s.Key, s.Value); err != nil {
				return made, left, err
			}
		}
		if have != "" {
			left = append(left, s)
			continue
		}
		if err := repo.SetConfig(ctx, s.Key, s.Value); err != nil {
			return made, left, err
		}
		made = append(made, s)
	}
	return made, left, nil
}

// DropSettings removes the settings for merging specs that chant wrote, in any version, and returns their keys. Unless dry, which only
// finds them.
func DropSettings(ctx context.Context, repo *gitops.Repo, dry bool) (keys []string, err error) {
	for _, s := range MergeSettings("") {
		have, err := repo.Config(ctx, s.Key)
		if err != nil {
			return keys, err
		}
		// A person's own value stays.
		if have == "" || have != s.Value && !s.isOutdated(have) {
			continue
		}
		keys = append(keys, s.Key)
		if !dry {
			if err := repo.DropConfig(ctx, s.Key, have); err != nil {
				return keys, err
			}
		}
	}
	return keys, nil
}
