package versions

import (
	"fmt"
	"reflect"
	"slices"

	"chant/engine/spec"
)

// joinerOf returns the function that joins a key that both sides changed. Keys that follow the status are taken from
// the side whose status is used. The same holds for model and reason if a status changed.
func joinerOf(key string, status threeWays) func(threeWays) (version, bool) {
	noted := func(w threeWays) (version, bool) { return leadingSide(status).version(w), true }
	switch {
	case key == "status":
		return joinStatus
	case key == "approval":
		return joinApproval
	case followsStatus(key):
		return noted
	// Without a change of status, a person wrote these, and both versions count.
	case slices.Contains([]string{"model", "reason"}, key) && (!status.base.equals(status.ours) || !status.base.equals(status.theirs)):
		return noted
	case isSet(key):
		return joinSets
	}
	return joinApart
}

// followsStatus reports whether only chant writes a key, together with a change of status.
func followsStatus(key string) bool {
	return slices.Contains([]string{"status", "branch", "completed_at", "retry_state", "last_verified", "verification_status", "verification_failures", "reason_code",
		"replayed_at", "replay_count", "original_completed_at", spec.HashesKey}, key)
}

// isSet reports whether the value of a key is a list whose order and repetitions do not matter. In other lists they
// may: commands run one after the other.
func isSet(key string) bool {
	return slices.ContainsFunc(spec.KeyTable(), func(k spec.Key) bool { return k.Name == key && k.Set })
}

// joinApart joins mappings key by key. Anything else is a conflict.
func joinApart(w threeWays) (version, bool) {
	if w.ours.isMap() && w.theirs.isMap() {
		return joinMaps(w, joinApart)
	}
	return w.ours, false
}

// joinSets joins lists item by item, and anything else as joinApart does.
func joinSets(w threeWays) (version, bool) {
	_, oList := w.ours.value.([]any)
	_, tList := w.theirs.value.([]any)
	ol, oOK := listOf(w.ours.value)
	tl, tOK := listOf(w.theirs.value)
	// Two single texts are two values and not a list that grew.
	if (oList || tList) && oOK && tOK {
		bl, _ := listOf(w.base.value)
		return version{value: joinLists(bl, ol, tl)}, true
	}
	return joinApart(w)
}

// listOf returns a list, and a single text as a list of one.
func listOf(v any) ([]any, bool) {
	if text, ok := v.(string); ok {
		return []any{text}, true
	}
	list, ok := v.([]any)
	return list, ok
}

// joinLists keeps the items that both sides have or one side has added, and drops those that one side has removed.
func joinLists(base, ours, theirs []any) []any {
	has := func(list []any, v any) bool {
		return slices.ContainsFunc(list, func(o any) bool { return reflect.DeepEqual(o, v) })
	}
	out := []any{}
	for _, v := range ours {
		if has(theirs, v) || !has(base, v) {
			out = append(out, v)
		}
	}
	for _, v := range theirs {
		if !has(ours, v) && !has(base, v) {
			out = append(out, v)
		}
	}
	return out
}

// side is one of the two sides of a merge.
type side bool

const (
	oursLead   side = false
	theirsLead side = true
)

// version returns that side's version.
func (s side) version(w threeWays) version {
	if s == theirsLead {
		return w.theirs
	}
	return w.ours
}

// leadingSide returns the side whose status is used, ours if the statuses are equal.
func leadingSide(w threeWays) side {
	if next, change, ok := w.merge(joinStatus); ok && change && next.equals(w.theirs) {
		return theirsLead
	}
	return oursLead
}

// joinStatus returns the status with the higher rank.
func joinStatus(w threeWays) (version, bool) {
	o, oErr := statusOf(w.ours.value)
	t, tErr := statusOf(w.theirs.value)
	switch {
	// A word that chant does not know has no rank.
	case oErr != nil || tErr != nil:
		return w.ours, false
	case rank(t) > rank(o):
		return version{value: string(t)}, true
	}
	return version{value: string(o)}, true
}

func statusOf(v any) (spec.Status, error) {
	word, ok := v.(string)
	// YAML reads a status such as yes or 1 as another type.
	if !ok && v != nil {
		word = fmt.Sprint(v)
	}
	return spec.ParseStatus(word)
}

// rank orders statuses for merging; the higher rank wins.
func rank(s spec.Status) int {
	// A run that ended wins over one in progress, and a person's cancel wins over everything except completed work.
	return slices.Index([]spec.Status{spec.Pending, spec.Paused, spec.InProgress, spec.Failed, spec.NeedsAttention, spec.Cancelled, spec.Completed}, s)
}
