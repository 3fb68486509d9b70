package lint

import (
	"fmt"
	"maps"
	"slices"

	"chant/engine/spec"
	"chant/engine/spec/next"
)

// checkKeys reports keys of the front matter that are unknown to chant and to the project.
func (l *linter) checkKeys() {
	have, err := l.s.Doc.Keys()
	if err != nil {
		// Cannot happen: the spec was read.
		return
	}
	known := knownKeys(l.Settings)
	for _, key := range have {
		if slices.Contains(known, key) || l.isOpen() && sameLetters(key, gateKeys(l.Settings)) != "" {
			continue
		}
		text, step := fmt.Sprintf("unknown key %q does nothing", key)+spec.DidYouMean(spec.Nearest(key, known)), next.Guide.On("specs")
		if correctedKey(key, have, known) != "" {
			step = next.Lint.On().Flag("fix").Arg(l.s.ID)
		}
		l.report("unknown_key", l.keyLine(key), step, "%s", text)
	}
	for _, key := range l.s.Checks().OfSettings() {
		l.report("unknown_key", l.keyLine("verify"), l.editStep(), "%s under verify has no effect in a spec: only .chant/config.md may say that", key)
	}
}

// checkNearKeys reports keys that are not read because of their case, a hyphen or a space, and unknown keys of an approval:
// the work would begin without the gate or the dependency that they are meant to be.
func (l *linter) checkNearKeys() {
	have, err := l.s.Doc.Keys()
	if err != nil || !l.isOpen() {
		return
	}
	known := knownKeys(l.Settings)
	for _, key := range have {
		meant := sameLetters(key, gateKeys(l.Settings))
		if slices.Contains(known, key) || meant == "" {
			continue
		}
		step := l.editStep()
		if correctedKey(key, have, known) != "" {
			step = next.Lint.On().Flag("fix").Arg(l.s.ID)
		}
		l.report("near_key", l.keyLine(key), step, "key %q is not read: it is written %q", key, meant)
	}
	var approval map[string]any
	if _, err := l.s.Doc.Get("approval", &approval); err != nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(approval)) {
		if !slices.Contains(spec.ApprovalKeys(), key) {
			l.report("near_key", l.keyLine("approval"), l.editStep(), "unknown key %q of approval does nothing%s", key, spec.DidYouMean(spec.Nearest(key, spec.ApprovalKeys())))
		}
	}
}

// sameLetters returns the known key that differs from a key in case, hyphens and spaces alone, "" if there is none.
func sameLetters(key string, known []string) string {
	at := slices.IndexFunc(known, func(k string) bool { return spec.SortedLetters(k) == spec.SortedLetters(key) })
	if at < 0 {
		return ""
	}
	return known[at]
}

// gateKeys lists the keys that decide how a spec is worked, and those that the settings of the project name: not those that
// inform, and those of the older chant.
func gateKeys(s Settings) []string { return slices.Concat(spec.OwnKeys(), s.Required, s.Known) }

// knownKeys lists the keys that have a meaning in a spec, and those that the settings of the project name.
func knownKeys(s Settings) []string {
	keys := slices.Concat(spec.Keys(), s.Required, s.Known)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// correctedKey returns the known key that an unknown one is certainly a misspelling of: no other known key is as near,
// and the spec does not have it yet. Otherwise it returns "".
func correctedKey(key string, have, known []string) string {
	var same, near []string
	for _, k := range known {
		switch {
		case spec.SortedLetters(k) == spec.SortedLetters(key):
			same = append(same, k)
		case len(key) >= 5 && spec.EditDistance(key, k) == 1:
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

// checkDuplicateItems reports lists of the front matter with duplicates.
func (l *linter) checkDuplicateItems() {
	for _, list := range listsOf(l.s.Fields) {
		if twice := firstRepeated(list.values); twice != "" {
			l.report("duplicate_item", l.keyLine(list.key), next.Lint.On().Flag("fix").Arg(l.s.ID), "%s names %q twice", list.key, spec.Echo(twice))
		}
	}
}

// keyList is a list of the front matter.
type keyList struct {
	key    string
	values spec.StringList
}

// listsOf returns the lists in which duplicates have no meaning.
func listsOf(f spec.Fields) []keyList {
	return []keyList{
		{"depends_on", f.DependsOn}, {"labels", f.Labels}, {"target_files", f.TargetFiles}, {"context", f.Context},
		{"tracks", f.Tracks}, {"informed_by", f.InformedBy}, {"origin", f.Origin}, {"members", f.Members}, {"runs_on", f.RunsOn},
	}
}

func firstRepeated(values []string) string {
	for i, v := range values {
		if slices.Contains(values[:i], v) {
			return v
		}
	}
	return ""
}
