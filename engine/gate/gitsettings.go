package gate

import (
	"context"
	"path/filepath"
	"strings"

	"chant/engine/hooks"
	"chant/engine/run/attempt"
	"chant/gitops"
)

// gitSetting is a key of the repository's own git configuration and a value of it.
type gitSetting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Of the setting that tells git how to merge: its key, and where a value of ours begins,
// whichever version has written it.
const (
	driverKey  = "merge.chant-spec.driver"
	driverText = "for c in chant "
	driverOnce = "chant merge-driver %O %A %B %P"
)

// MergeSettings tell git how to merge spec files, with the chant on the PATH, else with
// program, else as text: a merge from an editor has hardly a PATH, and one without chant
// is not to lose a side. Exit codes other than those of a merge say that chant has
// written nothing.
func MergeSettings(program string) []gitSetting {
	line := driverText
	if program != "" {
		line += strings.ReplaceAll(hooks.Quote(filepath.ToSlash(program)), "%", "%%") // which git reads first
	}
	line += `; do if command -v "$c" >/dev/null 2>&1; then "$c" merge-driver %O %A %B %P; r=$?; case $r in 0|7) exit $r;; esac; fi; done; ` +
		`git merge-file -L ours -L base -L theirs %A %O %B`
	return []gitSetting{{"merge.chant-spec.name", "chant: merge specs field by field"}, {driverKey, line}}
}

// outdated reports whether a value is one that chant would write otherwise today.
func (s gitSetting) outdated(have string) bool {
	return s.Key == driverKey && have != s.Value && (have == driverOnce || strings.HasPrefix(have, driverText))
}

// notesSetting has the evidence of a commit follow it when it is rewritten. Of a pattern
// git does not complain that there is no such ref, as there is none before the first run.
func notesSetting() gitSetting { return gitSetting{"notes.rewriteRef", attempt.NotesRef + "*"} }

// Settle makes settings that have no value yet, and tells which it has made. One of chant's
// own that is outdated is written anew.
func Settle(ctx context.Context, repo *gitops.Repo, want []gitSetting) (made, left []gitSetting, err error) {
	for _, s := range want {
		have, err := repo.Config(ctx, s.Key)
		if err != nil {
			return made, left, err
		}
		if s.outdated(have) {
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
