package engine

import (
	"context"

	"chant/engine/run"
	"chant/gitops"
)

// gitSetting is a key of the repository's own git configuration and a value of it.
type gitSetting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// mergeSettings tell git how to merge spec files.
func mergeSettings() []gitSetting {
	return []gitSetting{
		{"merge.chant-spec.name", "chant: merge specs field by field"},
		{"merge.chant-spec.driver", "chant merge-driver %O %A %B %P"},
	}
}

// notesSetting has the evidence of a commit follow it when it is rewritten.
func notesSetting() gitSetting { return gitSetting{"notes.rewriteRef", run.NotesRef} }

// settle makes settings that have no value yet, and tells which it has made.
func settle(ctx context.Context, repo *gitops.Repo, want []gitSetting) (made, left []gitSetting, err error) {
	for _, s := range want {
		have, err := repo.Config(ctx, s.Key)
		if err != nil {
			return made, left, err
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
