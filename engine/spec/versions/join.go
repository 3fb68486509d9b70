package versions

import (
	"fmt"
	"reflect"
	"slices"

	"chant/engine/spec"
)

// joining is how a key is settled that both sides changed. What a change of status notes
// follows the side whose status stands; people write model and reason too, and while no
// status changed those are theirs.
func joining(key string, status threeWays) func(threeWays) (version, bool) {
	noted := func(w threeWays) (version, bool) { return leads(status).of(w), true }
	switch {
	case key == "status":
		return joinStatus
	case key == "approval":
		return joinApproval
	case ruled(key):
		return noted
	case slices.Contains([]string{"model", "reason"}, key) && (!status.base.is(status.ours) || !status.base.is(status.theirs)):
		return noted
	case isSet(key):
		return joinSets
	}
	return joinApart
}

// ruled tells the keys that no person spells: what a change of status notes.
func ruled(key string) bool {
	return slices.Contains([]string{"status", "branch", "completed_at", "retry_state", "last_verified", "verification_status", "verification_failures", "reason_code",
		"replayed_at", "replay_count", "original_completed_at", spec.HashesKey}, key)
}

// isSet tells the keys whose values are lists in which neither order nor repetition means
// anything. In any other list they may: commands run one after the other.
func isSet(key string) bool {
	return slices.ContainsFunc(spec.KeyTable(), func(k spec.Key) bool { return k.Name == key && k.Set })
}

// joinApart joins mappings, each key of them apart.
func joinApart(w threeWays) (version, bool) {
	if w.ours.isMap() && w.theirs.isMap() {
		return joinMaps(w, joinApart)
	}
	return w.ours, false
}

// joinSets joins lists item by item.
func joinSets(w threeWays) (version, bool) {
	_, oList := w.ours.value.([]any)
	_, tList := w.theirs.value.([]any)
	ol, oOK := listOf(w.ours.value)
	tl, tOK := listOf(w.theirs.value)
	if (oList || tList) && oOK && tOK {
		bl, _ := listOf(w.base.value)
		return version{value: joinLists(bl, ol, tl)}, true
	}
	return joinApart(w)
}

// listOf reads a list, and a single text as a list of one.
func listOf(v any) ([]any, bool) {
	if text, ok := v.(string); ok {
		return []any{text}, true
	}
	list, ok := v.([]any)
	return list, ok
}

// joinLists keeps what both have or one added, and drops what one removed.
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

// side is one of the two that are merged.
type side bool

const (
	oursLead   side = false
	theirsLead side = true
)

// of is what that side says.
func (s side) of(w threeWays) version {
	if s == theirsLead {
		return w.theirs
	}
	return w.ours
}

// leads tells whose status stands, ours where it makes no difference.
func leads(w threeWays) side {
	if next, change, ok := w.merged(joinStatus); ok && change && next.is(w.theirs) {
		return theirsLead
	}
	return oursLead
}

// joinStatus lets the one further along win.
func joinStatus(w threeWays) (version, bool) {
	o, oErr := statusOf(w.ours.value)
	t, tErr := statusOf(w.theirs.value)
	switch {
	case oErr != nil || tErr != nil:
		return w.ours, false
	case rank(t) > rank(o):
		return version{value: string(t)}, true
	}
	return version{value: string(o)}, true
}

func statusOf(v any) (spec.Status, error) {
	word, ok := v.(string)
	if !ok && v != nil {
		word = fmt.Sprint(v)
	}
	return spec.ParseStatus(word)
}

// rank says which of two statuses wins a merge: an end wins over what is under
// way, and a person's cancel wins over everything but finished work.
func rank(s spec.Status) int {
	return slices.Index([]spec.Status{spec.Pending, spec.Paused, spec.InProgress, spec.Failed, spec.NeedsAttention, spec.Cancelled, spec.Completed}, s)
}
