package lint

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine/next"
	"chant/engine/spec"
)

// keys finds front matter that means nothing to chant, nor to the project.
func (l *linter) keys() {
	have, err := l.s.Doc.Keys()
	if err != nil {
		return // then the spec would not have been read
	}
	known := knownKeys(l.Settings)
	for _, key := range have {
		if slices.Contains(known, key) {
			continue
		}
		text, step := fmt.Sprintf("unknown key %q does nothing", key), next.Guide.On("specs")
		if meant := nearest(key, known); meant != "" {
			text += fmt.Sprintf("; did you mean %q?", meant)
		}
		if respelled(key, have, known) != "" {
			step = next.Lint.On().Flag("fix").Arg(l.s.ID)
		}
		l.find("unknown_key", l.line(key), step, "%s", text)
	}
	if len(l.s.Checks().Pass) > 0 {
		l.find("unknown_key", l.line("verify"), l.edit(), "pass under verify does nothing in a spec: the settings alone let variables through")
	}
	if l.s.Checks().Require {
		l.find("unknown_key", l.line("verify"), l.edit(), "require under verify does nothing in a spec: the settings alone require something to verify")
	}
}

// knownKeys are the keys that mean something in a spec, and those that the project has named.
func knownKeys(s Settings) []string {
	keys := slices.Concat(spec.Keys(), s.Required, s.Known)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// respelled is the known key that an unknown one can only be a spelling of, "" when that
// is not certain: none is as near, and it does not stand there already.
func respelled(key string, have, known []string) string {
	var same, near []string
	for _, k := range known {
		switch {
		case letters(k) == letters(key):
			same = append(same, k)
		case len(key) >= 5 && distance(key, k) == 1:
			near = append(near, k)
		}
	}
	for _, found := range [][]string{same, near} {
		if len(found) == 1 && !slices.Contains(have, found[0]) {
			return found[0]
		}
		if len(found) > 0 {
			return ""
		}
	}
	return ""
}

// letters is a key without its case and what joins its words.
func letters(key string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(key))
}

// nearest is the word that a text is likely meant to be, "" when none is near.
func nearest(text string, words []string) string {
	best, at := "", min(3, 1+(len(letters(text))+1)/3)
	for _, w := range words {
		if d := distance(letters(text), letters(w)); d < at {
			best, at = w, d
		}
	}
	return best
}

// distance counts the bytes to insert, drop, replace or swap with their neighbour until
// one text is the other.
func distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

// items finds what a list of the front matter names twice.
func (l *linter) items() {
	for _, list := range lists(l.s.Fields) {
		if twice := repeated(list.values); twice != "" {
			l.find("duplicate_item", l.line(list.key), next.Lint.On().Flag("fix").Arg(l.s.ID), "%s names %q twice", list.key, spec.Echo(twice))
		}
	}
}

// keyed is a list of the front matter.
type keyed struct {
	key    string
	values spec.StringList
}

// lists are the lists in which a repetition says nothing.
func lists(f spec.Fields) []keyed {
	return []keyed{
		{"depends_on", f.DependsOn}, {"labels", f.Labels}, {"target_files", f.TargetFiles}, {"context", f.Context},
		{"tracks", f.Tracks}, {"informed_by", f.InformedBy}, {"origin", f.Origin}, {"members", f.Members},
	}
}

func repeated(values []string) string {
	for i, v := range values {
		if slices.Contains(values[:i], v) {
			return v
		}
	}
	return ""
}
