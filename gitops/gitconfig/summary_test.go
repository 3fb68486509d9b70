package gitconfig

import (
	"reflect"
	"testing"
)

func TestSummarize(t *testing.T) {
	t.Parallel()
	const ann = "Ann <ann@x>"
	for name, c := range map[string]struct {
		settings, env map[string]string
		author        string // "" = only git can say
		committer     string
	}{
		"nothing":                 {nil, nil, "", ""},
		"settings":                {map[string]string{"user.name": "Ann", "user.email": "ann@x"}, nil, ann, ann},
		"no mail":                 {map[string]string{"user.name": "Ann"}, nil, "", ""},
		"mail by variable":        {map[string]string{"user.name": "Ann"}, map[string]string{"EMAIL": "ann@x"}, ann, ann},
		"an empty mail":           {map[string]string{"user.name": "Ann", "user.email": ""}, map[string]string{"EMAIL": "ann@x"}, "", ""},
		"roles":                   {map[string]string{"user.name": "Ann", "user.email": "ann@x", "author.name": "Bob"}, nil, "Bob <ann@x>", ann},
		"variables":               {map[string]string{"user.name": "Ann", "user.email": "ann@x"}, map[string]string{"GIT_COMMITTER_NAME": "Cy", "GIT_COMMITTER_EMAIL": "c@x"}, ann, "Cy <c@x>"},
		"an empty variable":       {map[string]string{"user.name": "Ann", "user.email": "ann@x"}, map[string]string{"GIT_AUTHOR_NAME": ""}, "", ""},
		"characters git removes":  {map[string]string{"user.name": "Ann,", "user.email": "ann@x"}, nil, "", ""},
		"characters inside":       {map[string]string{"user.name": "Ann O'Hara, PhD", "user.email": "ann@x"}, nil, "Ann O'Hara, PhD <ann@x>", "Ann O'Hara, PhD <ann@x>"},
		"brackets":                {map[string]string{"user.name": "A<n>n", "user.email": "ann@x"}, nil, "", ""},
		"a date":                  {map[string]string{"user.name": "Ann", "user.email": "ann@x"}, map[string]string{"GIT_AUTHOR_DATE": "1 +0000"}, "", ""},
		"an encoding":             {map[string]string{"user.name": "Ann", "user.email": "ann@x", "i18n.commitencoding": "latin1"}, nil, "", ""},
		"UTF-8":                   {map[string]string{"user.name": "Ann", "user.email": "ann@x", "i18n.commitencoding": "UTF-8"}, nil, ann, ann},
		"syncing":                 {map[string]string{"user.name": "Ann", "user.email": "ann@x", "core.fsync": "all"}, nil, "", ""},
		"a zone of the C library": {map[string]string{"user.name": "Ann", "user.email": "ann@x"}, map[string]string{"TZ": "<+03>-3"}, "", ""},
	} {
		got := summarize(c.settings, func(name string) (string, bool) {
			value, set := c.env[name]
			return value, set
		})
		if want := (Summary{ByGit: c.author == "", Author: c.author, Committer: c.committer}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
